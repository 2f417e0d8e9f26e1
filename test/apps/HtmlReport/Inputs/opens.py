"""Checks the size of a page, and how much a browser computes until it shows the content.

usage: opens.py PAGE BYTES SECONDS
"""
import os
import sys

from browser import Browser


def opened(browser: Browser, page: str) -> tuple[float, float]:
    """Returns the seconds of a processor until the page has its content, and those of the clock.

    Other work of the machine is not the page's, so the former count.
    """
    waited = browser.open(page)
    metrics = browser.call("Performance.getMetrics")["metrics"]  # since the page began to load
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration"), waited


def main() -> None:
    page, most_bytes, most_seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    size = os.path.getsize(page)
    browser = Browser()
    try:
        browser.size(1280)
        browser.call("Performance.enable", timeDomain="threadTicks")
        seconds, waited = min(opened(browser, page) for _ in range(3))
        rows = browser.run("document.querySelectorAll('.program tbody tr').length")
    finally:
        browser.close()
    print(f"{size} bytes, {seconds:.2f} s of a processor, {rows} rows; {waited:.2f} s by the clock")
    if size > most_bytes or seconds > most_seconds or browser.errors:
        raise SystemExit(f"too large or too slow: {browser.errors}")


if __name__ == "__main__":
    main()
