"""Checks that a page holds the documents of the files, unchanged, and that no text of theirs became markup.

usage: embedded.py PAGE FILE...
"""
import html.parser
import json
import sys


class Scripts(html.parser.HTMLParser):
    """The contents of the page's scripts, and what the page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.loads: list[str] = []
        self.is_inside = False

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.is_inside = tag == "script"
        if self.is_inside:
            self.texts.append("")
        self.loads += [value for name, value in attrs if name in ("src", "href") and not value.startswith(("#", "data:"))]

    def handle_endtag(self, tag: str) -> None:
        self.is_inside = False

    def handle_data(self, data: str) -> None:
        if self.is_inside:
            self.texts[-1] += data


def unpack(value: object) -> object:
    if isinstance(value, list):
        return [unpack(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "#" not in value:
        return {key: unpack(each) for key, each in value.items()}
    columns = []
    for column in value["columns"]:
        if isinstance(column, dict) and "#" not in column:
            values = [unpack(each) for each in column["values"]]
            columns.append([values[index] for index in column["at"]])
        else:
            columns.append(unpack(column))
    return [dict(zip(value["#"], row)) for row in zip(*columns)]


def main() -> None:
    page, *files = sys.argv[1:]
    scripts = Scripts()
    with open(page, encoding="utf-8") as file:
        scripts.feed(file.read())
    assert len(scripts.texts) == 2, f"{len(scripts.texts)} scripts"
    assert not scripts.loads, scripts.loads
    documents = json.loads(scripts.texts[0])["documents"]
    assert [each["name"] for each in documents] == files, [each["name"] for each in documents]
    for each in documents:
        with open(each["name"], encoding="utf-8") as file:
            assert unpack(each["document"]) == json.load(file), each["name"]
    print(f"{len(documents)} documents are as they were")


if __name__ == "__main__":
    main()
