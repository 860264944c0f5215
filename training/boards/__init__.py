"""Data, training and evaluation of the networks that see boards, cages and lookalikes."""
