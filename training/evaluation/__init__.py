"""Measures each quality of the product, and judges its reports."""
