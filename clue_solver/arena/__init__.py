"""Autonomous players, the referee who lets them play, and tournaments between them."""
