"""How programs run on the libraries that stand in for a driver."""
import os


def environment(library, target: str) -> dict[str, str]:
    """Returns what a program needs to run for the target on the stand-in in the folder `library`."""
    search = os.pathsep.join(filter(None, [str(library), os.environ.get("LD_LIBRARY_PATH")]))
    return {"REGRAIN_DEVICE": "hip" if target.startswith("gfx") else "cuda", "LD_LIBRARY_PATH": search,
            "HIP_INTERPRETER_CHIP": target}
