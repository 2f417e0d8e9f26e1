"""Checks the size of a page, and how long a browser takes until it shows the content.

usage: opens.py PAGE BYTES SECONDS
"""
import os
import sys

from browser import Browser


def main() -> None:
    page, most_bytes, most_seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    size = os.path.getsize(page)
    browser = Browser()
    try:
        browser.size(1280)
        # The fastest of some: other work of the machine is not the page's.
        seconds = min(browser.open(page) for _ in range(5))
        rows = browser.run("document.querySelectorAll('.program tbody tr').length")
    finally:
        browser.close()
    print(f"{size} bytes, {seconds:.2f} s, {rows} rows")
    if size > most_bytes or seconds > most_seconds or browser.errors:
        raise SystemExit(f"too large or too slow: {browser.errors}")


if __name__ == "__main__":
    main()
