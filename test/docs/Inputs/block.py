"""Prints the first block of code in one language of a page.

usage: block.py PAGE LANGUAGE
"""
import re
import sys
from pathlib import Path

page, language = sys.argv[1:]
print(re.search(rf"```{language}\n(.*?)```", Path(page).read_text(), re.S)[1], end="")
