"""A small image classifier, written as such models usually are: the subject of ``fxlint demo``, which works on a copy of it."""
