"""Measurements that are run by hand: no test asserts a time, and none needs a package from elsewhere."""
