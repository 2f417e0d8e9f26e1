"""How slow this machine is, so that limits of processor time mean the same on every machine.

A machine whose cores are shared with others can need several times the processor time for the same work. A small
fixed piece of work is therefore measured again and again beside the tests.
"""
import subprocess
import sys
import threading

# Sorting and hashing use the caches as a compiler does. The work prints the processor time it took.
WORK = """
import random, time
random.seed(1)
numbers = [random.random() for _ in range(150_000)]
by_text = {str(number): number for number in sorted(numbers)}
print(time.process_time())
"""
# The processor time of the work on the machine for which the limits were set: two cores of an AMD EPYC, both busy
# with the tests.
REFERENCE_SECONDS = 0.145
INTERVAL_SECONDS = 20


class Slowness:
    """Measures the work at intervals in a thread, from `with` to its end."""

    def __init__(self) -> None:
        self.samples, self.ended, self.thread = [], threading.Event(), threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "Slowness":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.ended.set()
        self.thread.join()

    def _sample(self) -> None:
        while True:
            done = subprocess.run([sys.executable, "-c", WORK], stdout=subprocess.PIPE, text=True, check=True)
            self.samples.append(float(done.stdout))
            if self.ended.wait(INTERVAL_SECONDS):
                return

    def factor(self) -> float:
        """Returns how many times the reference's processor time this machine needs, at least 1."""
        mean = sum(self.samples) / len(self.samples)
        print(f"speed: the reference work took {mean:.3f} s of processor time in the mean of {len(self.samples)} samples, "
              f"{REFERENCE_SECONDS} s where the budgets were set")
        return max(1.0, mean / REFERENCE_SECONDS)
