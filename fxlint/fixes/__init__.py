"""Repairs: fix requests carried out on whole files with libcst."""
