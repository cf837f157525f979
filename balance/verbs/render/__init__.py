"""What an answer looks like: as text for a terminal, as HTML, as a picture, and as one JSON object.

Everything here takes what `balance.analysis` and its neighbours computed, and computes nothing itself.
"""
