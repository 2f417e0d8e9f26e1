"""Passes a stream and memory from one library to another.

usage: share_stream.py MAKER USER
"""
import ctypes
import sys

maker, user = (ctypes.CDLL(path) for path in sys.argv[1:])
maker.makeStream.restype = maker.makeValues.restype = ctypes.c_void_p
stream = ctypes.c_void_p(maker.makeStream())
values = ctypes.c_void_p(maker.makeValues(stream))
print("last", user.lastValue(stream, values))
