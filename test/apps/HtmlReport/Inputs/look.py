"""Looks at a page of reports.py in a browser, at two widths, light and dark, and operates it by keyboard.

usage: look.py PAGE DATABASE-PAGE
"""
import re
import sys

from browser import Browser

# What each view has to show: a selector, how many there are at least, and a text.
VIEWS = {
    "": [(".card", 3, "Gained most"), (".card", 3, "Bound by: not known"), (".card", 3, "longer for one launch: long 6430 µs"), (".card", 3, "Nearly as much: "), (".card", 3, "by the same compile route (control): 1.02× (5 pairs, too few for an interval)"), (".card", 3, "100 µs became 50.0 µs for a launch"), (".card", 3, "in 1 class (1 more was not tuned)"),
         (".card", 3, "not known in 1 of 2 classes, 67 % of the time; too few blocks measured in 1 of 2 classes, 33 %"), (".card", 3, "in the 30 launches for which the samples of 2 classes (1 more"),
         (".where", 1, "Times were measured on NVIDIA H200, a GPU"), (".program table tbody tr", 4, "faster"),
         (".program", 1, "the kernel waits for the host"), (".program", 1, "Time in kernels: 3500 µs became"), (".program", 1, "The whole run took 500 ms at the originals"), (".spread", 3, "")],
    "#/kernels": [("tbody tr", 5, "kernel1"), ("tbody tr:first-child", 1, "6430 µs"), ("tbody", 1, "1500 µs"), ("tbody tr", 5, "too few blocks (measured) in 1 of 2 classes")],
    "#/words": [("dt", 40, "control"), ("dd", 40, "multiple of 4"), ("dt", 40, "not applicable here")],
    "#/kernel/0/grains": [(".heat", 3, "shape=128x1x1"), (".legend .scale", 1, "gain of at leastless0.670.870.97"), ("[data-state=measured] b", 50, "µs"), ("[data-state=chosen]", 1, "chosen"),
                          ("[data-state=refused]", 1, "R"), ("[data-state=inapplicable]", 1, "–"), ("[data-state=off-target]", 1, "O"), ("[data-state=pruned]", 5, "P"), ("[data-state=excluded]", 1, "X"),
                          ("[data-state=not-tried]", 1, "N"), ("[data-state=dropped]", 5, "D"), (".panel", 1, "Chosen: faster"),
                          ("details table", 1, "move the barrier out of the branch"), ("details table", 1, "legal, but not compiled: the file has 1 other grain"),
                          ("details table", 1, "the budget of 30 s did not suffice; 45 s would")],
    "#/kernel/0/measurements": [("#measurements tbody tr", 100, "timed"), ("#measurements .spread", 100, "")],
    "#/kernel/0/bounds": [("#bounds .roof", 2, ""), ("#bounds circle", 2, ""), ("#bounds figcaption", 1, "FLOP/B"),
                          ("#bounds table", 2, "parameter 1"), ("#bounds", 1, "25 %"), ("#bounds", 1, "4.00 TB/s"), ("#bounds .big", 1, "memory bandwidth modelled"),
                          ("#bounds", 1, "Not known – What calls of exp compute."), ("#bounds", 1, "computes at most 62.9 MFLOP"), ("#bounds td", 1, "256 calls")],
    "#/kernel/1/bounds": [("#bounds", 1, "The operations of a launch: the operations are in loops whose length neither"), ("#bounds td", 1, "not known: in a loop")],
    "#/kernel/2/bounds": [("#bounds", 1, "more than the 4.00 TB/s"), ("#bounds", 1, "Not drawn, because above the roof: original")],
    "#/kernel/0/code": [("#code .pane", 3, "</script>"), ("#code .pane .changed", 10, "ld.global.v4"), ("#code td", 8, "+"),
                        ("#code .width", 10, "128 bits")],
    "#/kernel/1/code": [("#code .note", 1, "The code of block.x=4, which runs, is not in this input")],
    "#/kernel/2/grains/1": [("#class", 1, ""), (".panel", 1, "best of those that stayed to the last launch: thread.x=2"),
                            (".heat button[aria-label*=\"timed in 1 of 2\"]", 5, ""), (".heat button[aria-label^=\"thread.x=2: 51.0 µs, gain 2.00×\"]", 1, "")],
    "#/kernel/2/bounds/1": [("#bounds tbody tr", 2, "3216 50 %"), ("#bounds", 1, "in whole sectors of 32 B")],
    "#/kernel/0/targets": [("#targets tbody tr", 4, "gfx90a")],
    "#/kernel/0/history": [("#history tbody tr", 3, "12.8"), ("#history figure circle", 6, "")],
    "#/targets": [("tbody tr", 12, "sm_90")],
    "#/history": [("tbody tr", 9, "13.1")],
    "#/inputs": [("li", 6, "regrain-tuning 1.6")],
}

# Returns texts whose contrast with what is behind them is below 4.5 to 1.
CONTRAST = """(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const luminance = (color) => color.slice(0, 3).map((each) => each / 255).map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((all, each, i) => all + each * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const faults = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || !element.checkVisibility() || element.closest('script, option, noscript')) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(parse(element.closest('svg') ? style.fill : style.color)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faults.add(`${text.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return [...faults];
})()"""

# Returns what a reader of the screen could not name.
NAMELESS = """[...document.querySelectorAll('button, a, select, table, svg[role=img], section[id]')].filter((each) => {
  if (each.matches('table')) return !each.caption?.textContent;
  if (each.matches('select')) return !each.labels.length;
  if (each.matches('section')) return !document.getElementById(each.getAttribute('aria-labelledby'))?.textContent;
  return !(each.getAttribute('aria-label') || each.textContent.trim());
}).map((each) => each.outerHTML.slice(0, 80))"""


# Returns what breaks the order of a page for those who do not see it: jumps of headings, ids that are there twice or not at
# all, an order of focus other than the document's, cells that name nothing, and several main parts.
DISORDER = """(() => {
  const faults = [], all = (selector) => [...document.querySelectorAll(selector)];
  let level = 0;
  for (const each of all('h1, h2, h3, h4, h5, h6')) {
    const next = Number(each.tagName[1]);
    if (next > level + 1) faults.push(`h${level} is followed by h${next}: ${each.textContent}`);
    level = next;
  }
  const ids = all('[id]').map((each) => each.id);
  faults.push(...ids.filter((each, i) => ids.indexOf(each) !== i).map((each) => `id ${each} twice`));
  for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'])
    faults.push(...all(`[${name}]`).map((each) => each.getAttribute(name)).filter((id) => !ids.includes(id)).map((id) => `no ${id}`));
  faults.push(...all('[tabindex]').filter((each) => each.tabIndex > 0).map((each) => `tabindex of ${each.tagName}`));
  faults.push(...all('th').filter((each) => !each.scope).map((each) => `th without scope: ${each.textContent}`));
  faults.push(...all('li').filter((each) => !each.closest('ul, ol')).map(() => 'li outside of a list'));
  if (all('main').length !== 1 || all('h1').length !== 1 || !document.documentElement.lang) faults.push('main, h1 or lang');
  return faults;
})()"""

# Links of a narrow window that are too low for fingers.
LOW_LINKS = """innerWidth > 760 ? [] : [...document.querySelectorAll('main a')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 24).map((each) => each.textContent)"""

# Whether the element with the focus shows it.
SHOWS_FOCUS = """(() => {
  const style = getComputedStyle(document.activeElement);
  return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
})()"""

# Whether each column of the code shows the first of its marked lines.
SHOWS_LINKED = """[...document.querySelectorAll('#code .lines')].every((list) => {
  const [outer, inner] = [list, list.querySelector('.linked')].map((each) => each.getBoundingClientRect());
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
})"""


def check(is_right: object, words: str) -> None:
    if not is_right:
        raise SystemExit(f"look.py: {words}")


def look_at_views(browser: Browser, where: str) -> None:
    for address, contents in VIEWS.items():
        browser.go(address)
        for selector, count, text in contents:
            found = browser.run(f"[...document.querySelectorAll('{selector}')].map((each) => each.textContent)")
            check(len(found) >= count, f"{where}, {address}: {len(found)} of {selector}, not {count}")
            check(not text or any(text in each for each in found), f"{where}, {address}: no {selector} has '{text}'")
        wide = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        check(wide <= 0, f"{where}, {address}: the page is {wide} pixels too wide")
        check(not browser.run(NAMELESS), f"{where}, {address}: without a name: {browser.run(NAMELESS)}")
        check(not browser.run(LOW_LINKS), f"{where}, {address}: links below 24 pixels: {browser.run(LOW_LINKS)}")
        disorder = browser.run(DISORDER)
        check(not disorder, f"{where}, {address}: {disorder[:5]}")
        faint = browser.run(CONTRAST)
        check(not faint, f"{where}, {address}: too little contrast: {faint}")


def operate(browser: Browser) -> None:
    """Uses the page by the keyboard alone."""
    browser.go("#/")
    browser.run("document.activeElement.blur(); getSelection().removeAllRanges(); document.body.tabIndex = -1; document.body.focus()")
    browser.key("Tab")
    check("content" in browser.run("document.activeElement.textContent"), "the first stop is not the link to the content")
    check(browser.run(SHOWS_FOCUS), "the focus cannot be seen on the link to the content")
    browser.key("Enter")
    check(browser.run("document.activeElement.tagName") == "MAIN", "the link does not lead to the content")
    browser.run("document.getElementById('ask-kernel').focus()")
    answer = browser.run("document.querySelector('.answer').textContent")
    check("a barrier is reached by some threads only (evil.cu:7)" in answer, f"the answer is '{answer}'")
    browser.run("document.getElementById('ask-kernel').selectedIndex = 2; document.getElementById('ask-kernel').dispatchEvent(new Event('change'))")
    answer = browser.run("document.querySelector('.answer').textContent")
    check("This is for the class 256" in answer and "1 other class: refused in 1" in answer, f"the answer is '{answer}'")
    browser.go("#/kernel/0/grains")
    check(browser.run("document.activeElement.id") == "grains-title", "a link does not move the focus")
    browser.run("document.querySelector('.heat button').focus()")
    browser.key("ArrowRight")
    browser.key("ArrowDown")
    check(browser.run(SHOWS_FOCUS), "the focus cannot be seen on a cell of the map")
    focused = browser.run("document.activeElement.getAttribute('aria-label')")
    check(focused and focused in browser.run("document.querySelector('.panel').textContent"), f"the panel does not tell {focused}")
    browser.run("document.querySelector('[data-state=refused]').focus()")
    told = browser.run("document.querySelector('.panel').textContent")
    check("a barrier is reached" in told and "Remedy: move the barrier" in told, f"the reason is not told on focus: {told}")
    browser.run("document.querySelector('[data-state=excluded]').click(); document.querySelector('[data-state=refused]').focus()")
    check("differs from the original" in browser.run("document.querySelector('.panel').textContent"), "a clicked cell is not pinned")
    browser.run("document.querySelector('[data-state=excluded]').click(); document.querySelector('[data-state=refused]').dispatchEvent(new Event('mouseenter'))")
    check("a barrier is reached" in browser.run("document.querySelector('.panel').textContent"), "a pinned cell is not let go")
    browser.run("document.querySelector('[data-state=chosen]').click()")
    check(browser.run("location.hash") == "#/kernel/0/grains/0/block.x%3D4", "a pinned grain is not in the address")
    browser.go("#/kernel/0/grains/0/thread.x%3D16")
    check("a barrier is reached" in browser.run("document.querySelector('.panel').textContent"), "an address does not pin its grain")
    check(browser.run("document.querySelector('[aria-pressed=true]').dataset.state") == "refused", "the pinned cell is not marked")
    browser.go("#/kernel/0/grains/0/%")
    check("Chosen: faster" in browser.run("document.querySelector('.panel').textContent"), "an address that cannot be decoded breaks the page")
    browser.go("#/kernel/0/code")
    browser.run("document.querySelector('#code .lines li').focus()")
    for _ in range(2):
        browser.key("ArrowDown")
    linked = browser.run("[...document.querySelectorAll('#code .pane')].map((each) => each.querySelectorAll('.linked').length)")
    check(len(linked) == 3 and min(linked) > 0, f"lines are linked: {linked}")
    browser.run("[...document.querySelectorAll('#code .lines li')].find((each) => each.textContent.includes('a[9]')).click()")
    check(browser.run(SHOWS_LINKED), "a chosen line does not bring its instructions into view")


def look_at_guesses(browser: Browser) -> None:
    """What is not known is not drawn."""
    for kernel in (1, 2):
        browser.go(f"#/kernel/{kernel}/bounds")
        check(browser.run("document.querySelectorAll('#bounds circle').length") == 0, f"kernel {kernel} has a point in the roofline")
        told = browser.run("document.querySelector('#bounds > ul').textContent")
        check(not re.search(r"\d{3,} % of", told), f"a share of more than everything is told: {told}")


def look_at_database(browser: Browser, page: str) -> None:
    """A database alone is enough for a map with times."""
    browser.open(page)
    browser.go("#/kernel/1/grains")
    found = browser.run("document.querySelectorAll('.heat [data-state=measured] b').length")
    check(found >= 8, f"the map from a database has {found} times")
    found = browser.run("document.querySelectorAll('#measurements tbody tr').length")
    check(found >= 16, f"{found} measurements are from the database")


def main() -> None:
    browser = Browser()
    try:
        browser.size(1280)
        browser.open(sys.argv[1])
        check(browser.run("document.title") == "Regrain report", "a text of a report ran as a script")
        for width, scheme in ((1280, "light"), (390, "dark")):
            browser.size(width)
            browser.scheme(scheme)
            look_at_views(browser, f"{width} pixels, {scheme}")
        browser.size(1280)
        operate(browser)
        look_at_guesses(browser)
        check(not browser.errors, f"errors: {browser.errors}")
        check(len(browser.requests) == 1, f"requests: {browser.requests}")
        look_at_database(browser, sys.argv[2])
        check(not browser.errors, f"errors: {browser.errors}")
    finally:
        browser.close()
    print("all views are as they should be")


if __name__ == "__main__":
    main()
