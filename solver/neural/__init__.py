"""Solvers that networks drive: trained ones as policies, and one whose weights are the rules."""
