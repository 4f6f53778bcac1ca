"""Tests of what is kept between runs."""
