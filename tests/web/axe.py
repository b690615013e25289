"""Check the page's accessibility with axe; its npm package is fetched once, and only for tests."""

from pathlib import Path

from tests.web.visit import Visit
from tools.web import npm

PROGRAM = "axe.min.js"
AXE = npm.Package(
    "axe-core",
    "4.14.1",
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
    (PROGRAM,),
)
_LOOK = """() => {
    window.found = null;
    const write = ({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`);
    axe.run().then(({ passes, violations }) => {
        window.found = violations.flatMap(write);
        if (!passes.length) window.found.push("nothing was looked at");
    }, (problem) => (window.found = [String(problem)]));
}"""

# The same where the clock runs: a promise of the findings.
FIND = f"""() => new Promise((done) => {{
    ({_LOOK})();
    const wait = () => (found ? done(found) : setTimeout(wait, 50));
    wait();
}})"""


def read(cache: Path) -> str:
    """Return axe's script; raise WebError if it cannot be fetched."""
    return AXE.unpack(AXE.fetch(cache))[PROGRAM].decode()


def look_in_both_themes(visit: Visit, script: str) -> dict[str, list[str]]:
    found = {}
    for scheme in ("light", "dark"):
        visit.page.emulate_media(color_scheme=scheme)
        found[scheme] = look(visit, script)
    return found


def look(visit: Visit, script: str) -> list[str]:
    """Return axe's findings about the page in its present state, a line each."""
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(script)
    visit.page.evaluate(_LOOK)
    while (found := visit.page.evaluate("found")) is None:
        visit.page.clock.run_for(1)  # axe waits for the next turn of the event loop
    return list(found)
