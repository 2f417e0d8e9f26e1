# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of other frameworks by DLPack, and tensors for them. Both forms of capsules are read: with a version, and
without one."""
import contextlib
import ctypes

from ._library import KernelError, library
from ._view import ITEM_BYTES, View

_CPU, _CUDA, _CUDA_HOST, _ROCM, _CUDA_MANAGED = 1, 2, 3, 10, 13
_DEVICES = {_CPU: "cpu", _CUDA: "cuda", _CUDA_HOST: "cuda", _ROCM: "cuda", _CUDA_MANAGED: "cuda"}
_TYPES = {(1, 8): "uint8", (2, 16): "float16", (2, 32): "float32", (4, 16): "bfloat16", (10, 8): "float8_e4m3fn"}
_CODES = {name: code for code, name in _TYPES.items()}
_READ_ONLY = 1
_LEGACY_STREAM = 1  # DLPack's number for CUDA's default stream


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int32), ("dtype", _DataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _ManagedVersioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


_python = ctypes.pythonapi
_python.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_New.restype = ctypes.py_object

# The name of a capsule is not copied, so these live as long as the process.
_FORMS = {b"dltensor_versioned": (_ManagedVersioned, b"used_dltensor_versioned"),
          b"dltensor": (_Managed, b"used_dltensor")}


class _Held:
    """A tensor that another framework has lent; the framework gets it back when this object goes."""

    def __init__(self, capsule):
        self._address = None
        for name, (form, used) in _FORMS.items():
            if _python.PyCapsule_IsValid(capsule, name):
                self._address = _python.PyCapsule_GetPointer(capsule, name)
                self.managed = form.from_address(self._address)
                _python.PyCapsule_SetName(capsule, used)
                return
        raise TypeError("__dlpack__ returned no capsule of a tensor that was not used yet")

    def __del__(self):
        if self._address and self.managed.deleter:
            _Deleter(self.managed.deleter)(self._address)


def _capsule_of(tensor, stream):
    """Asks for the newest form that is known here. Producers of the old protocol do not know `max_version`."""
    stream_argument = {} if stream is None else {"stream": stream}
    try:
        return tensor.__dlpack__(max_version=(1, 1), **stream_argument)
    except TypeError:
        return tensor.__dlpack__(**stream_argument)


def _is_dense(tensor: _Tensor) -> bool:
    expected = 1
    for dimension in reversed(range(tensor.ndim)):
        size = tensor.shape[dimension]
        if size == 0:
            return True
        if size != 1 and tensor.strides[dimension] != expected:
            return False
        expected *= size
    return True


def view(function: str, name: str, tensor, stream: int) -> View:
    """Returns the view of a tensor whose contents are ready in the stream."""
    if not hasattr(tensor, "__dlpack__"):
        raise TypeError(f"{function}: {name} must have __dlpack__, and is of {type(tensor)}")
    device_type, ordinal = tensor.__dlpack_device__()
    if device_type not in _DEVICES:
        raise TypeError(f"{function}: {name} is on a device of DLPack's type {int(device_type)}, which has no kernels")
    on_gpu = _DEVICES[device_type] == "cuda"
    held = _Held(_capsule_of(tensor, (stream or _LEGACY_STREAM) if on_gpu else None))
    if getattr(held.managed, "major", 1) > 1:
        raise TypeError(f"{function}: {name} has a newer version of DLPack: {held.managed.major}")
    raw = held.managed.tensor
    dtype = _TYPES.get((raw.dtype.code, raw.dtype.bits)) if raw.dtype.lanes == 1 else None
    shape = tuple(raw.shape[i] for i in range(raw.ndim))
    if dtype is None:
        raise TypeError(f"{function}: {name} has the type {raw.dtype.code} with {raw.dtype.bits} bits of DLPack and "
                        f"the shape {list(shape)}; known are {', '.join(ITEM_BYTES)}")
    found = View(None, shape, dtype, (_DEVICES[device_type], int(ordinal)), bool(
        getattr(held.managed, "flags", 0) & _READ_ONLY), held)
    if raw.strides and not _is_dense(raw):
        strides = [raw.strides[i] for i in range(raw.ndim)]
        raise ValueError(f"{function}: {name} must have its elements without gaps, row by row, and is {found} with the "
                         f"strides {strides}; make it contiguous first")
    found.pointer = raw.data + raw.byte_offset if raw.data else None
    return found


class Array:
    """A result for any framework: numpy.from_dlpack(array), torch.from_dlpack(array). fp8 is exported as bytes,
    because few frameworks read it from DLPack."""

    def __init__(self, shape, dtype: str, device, stream: int):
        self.shape, self.dtype, self.device = tuple(shape), dtype, device
        self._stream = stream
        self._memory = self._pointer = None
        bytes_ = max(1, View(None, self.shape, dtype, device).bytes)
        if device[0] == "cpu":
            self._memory = (ctypes.c_byte * (bytes_ + 64))()
            self._pointer = (ctypes.addressof(self._memory) + 63) // 64 * 64
        else:
            pointer = ctypes.c_void_p()
            library.runtime("cudaMallocAsync", ctypes.byref(pointer), ctypes.c_size_t(bytes_), ctypes.c_void_p(stream))
            self._pointer = pointer.value

    def __del__(self):
        if self.device[0] != "cpu" and self._pointer:
            with contextlib.suppress(KernelError):  # at the end of the process, the device may be gone
                library.runtime("cudaFreeAsync", ctypes.c_void_p(self._pointer), ctypes.c_void_p(self._stream))

    def view(self) -> View:
        return View(self._pointer, self.shape, self.dtype, self.device, False, self)

    def __dlpack_device__(self):
        return (_CPU if self.device[0] == "cpu" else _CUDA, self.device[1])

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("this array cannot be copied")
        if self.device[0] != "cpu" and stream != -1 and (stream or _LEGACY_STREAM) != (self._stream or _LEGACY_STREAM):
            library.runtime("cudaStreamSynchronize", ctypes.c_void_p(self._stream))
        is_versioned = max_version is not None and max_version[0] >= 1
        return _export(self, _ManagedVersioned if is_versioned else _Managed)

    def __repr__(self):
        return f"Array({self.view()})"


_exported = {}  # what a framework has, by the address of its DLManagedTensor


@_Deleter
def _release(address):
    _exported.pop(address, None)


_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


@_Destructor
def _destroy_capsule(address):
    # The capsule has no reference left, so it must not become an object of Python here.
    for name in _FORMS:
        if _is_valid(address, name):
            _release(_get_pointer(address, name))


_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))


def _export(array: Array, form):
    code, bits = _CODES["uint8" if array.dtype == "float8_e4m3fn" else array.dtype]
    shape = (ctypes.c_int64 * max(1, len(array.shape)))(*array.shape)
    managed = form()
    if form is _ManagedVersioned:
        managed.major = 1
    managed.deleter = ctypes.cast(_release, ctypes.c_void_p)
    device = array.__dlpack_device__()
    managed.tensor = _Tensor(array._pointer, _Device(*device), len(array.shape), _DataType(code, bits, 1),
                             ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)), None, 0)
    if form is _ManagedVersioned:  # whose strides must be there
        strides, step = [], 1
        for size in reversed(array.shape):
            strides.insert(0, step)
            step *= size
        managed.strides_kept = (ctypes.c_int64 * max(1, len(strides)))(*strides)
        managed.tensor.strides = ctypes.cast(managed.strides_kept, ctypes.POINTER(ctypes.c_int64))
    address = ctypes.addressof(managed)
    _exported[address] = (array, managed, shape)
    name = b"dltensor_versioned" if form is _ManagedVersioned else b"dltensor"
    return _python.PyCapsule_New(address, name, ctypes.cast(_destroy_capsule, ctypes.c_void_p))
