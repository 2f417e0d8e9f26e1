"""Drives a headless Chromium by its pipe: a page is opened, looked at and operated as a person would.

Other scripts import Browser; nothing outside of Python's own library is needed.
"""
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
LONGEST = 30  # seconds that the browser may be silent


class Browser:
    """A browser with one page, whose errors and requests are recorded."""

    def __init__(self) -> None:
        name = next(name for name in NAMES if shutil.which(name))
        self.folder = tempfile.mkdtemp()
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()

        def use_pipes() -> None:
            # The browser reads from 3 and writes to 4; the pipes may have these numbers already, crosswise.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [name, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}", "--no-first-run", "--disable-background-networking"],
            preexec_fn=use_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.number = 0
        self.buffer = b""
        self.session = ""
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self) -> dict:
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], LONGEST)[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.back, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def record(self, event: dict) -> None:
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            detail = params["exceptionDetails"]
            self.errors.append(detail.get("exception", {}).get("description", detail["text"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method: str, **params: object) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.record(answer)

    def run(self, script: str) -> object:
        """Returns the value of an expression of JavaScript."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "?"))
        return result["result"].get("value")

    def size(self, width: int, height: int = 900) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def scheme(self, name: str) -> None:
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def open(self, path: str) -> float:
        """Opens a file and returns the seconds until its content was painted."""
        begin = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        ready = """new Promise((done, failed) => {
            const end = performance.now() + 10000;
            const look = () => document.querySelector('main h2') ? setTimeout(done)
                : performance.now() > end ? failed(new Error('the page has no content')) : setTimeout(look, 2);
            look();
        })"""
        for _ in range(100):
            try:
                self.run(ready)
                break
            except RuntimeError as problem:
                if "no content" in str(problem):
                    raise RuntimeError(f"the page has no content: {self.errors}") from problem
                time.sleep(0.02)  # the context of the page before has gone
        return time.monotonic() - begin

    def go(self, address: str) -> None:
        self.run(f"new Promise(done => {{ location.hash = {json.dumps(address)}; setTimeout(done, 60); }})")

    def key(self, name: str) -> None:
        codes = {"Tab": 9, "Enter": 13, "ArrowDown": 40, "ArrowRight": 39, "ArrowUp": 38, "ArrowLeft": 37}
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name])

    def picture(self, path: str, whole: bool = False) -> None:
        import base64
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **(
            {"clip": {"x": 0, "y": 0, "width": self.run("document.documentElement.clientWidth"), "scale": 1,
                      "height": min(6000, self.run("document.documentElement.scrollHeight"))}} if whole else {}))["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
