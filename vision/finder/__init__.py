"""Finds boards of any side: a network says where, lines say exactly where."""
