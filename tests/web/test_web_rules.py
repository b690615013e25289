"""Rules as a line in the page: copied, shared as a link, pasted."""

from typing import Any

from tests.web.visit import Visit

SPRINT = "SKY1-22310-228M6-VE3Y"  # 100 lines, three in Next, no Hold, CLASSIC Lock Down
FAST = "SKY1-1A010-1JB3"  # both delays 0: FAST at the first start sets them (firmware/modes/README.md, 16.2)
WRONG = SPRINT[:-1] + "T"


def show(visit: Visit) -> str:
    visit.page.click("#more-shown")
    return visit.page.input_value("#rules")


def test_a_link_opens_the_page_of_its_rules(visits: Any) -> None:
    visit = visits().open(f"#rules={SPRINT}")
    visit.advance(200)
    assert visit.scene == "rules.line_menu" and "#" not in visit.page.url
    visit.press("ArrowDown", "a")
    assert visit.scene == "menus.main" and show(visit) == SPRINT


def test_a_pasted_line_opens_its_page_and_a_wrong_one_says_why(visit: Visit) -> None:
    visit.press("a", "a")
    assert show(visit) == FAST
    visit.page.fill("#rules", f"https://example.org/#rules={WRONG}")
    visit.page.keyboard.press("Enter")
    assert visit.notice == "These rules cannot be loaded: a letter is wrong or missing."
    visit.advance(200)
    assert visit.scene == "rules.menu"
    show(visit)
    visit.page.fill("#rules", SPRINT.lower())
    visit.page.keyboard.press("Enter")
    visit.advance(200)
    assert (visit.notice, visit.scene) == ("", "rules.line_menu")


def test_shared_rules_are_a_link_in_the_field(visit: Visit, site: str) -> None:
    visit.press("a", "a")
    show(visit)
    visit.page.click("#share-rules")
    visit.page.wait_for_function("rules.value.includes('#')")
    assert visit.page.input_value("#rules") == f"{site}#rules={FAST}"


def test_rules_wait_while_a_linked_match_needs_the_screen(visit: Visit) -> None:
    visit.press("a", "a")
    visit.run("handheld.app.context.settings.initials = 1; handheld.app.context.go('link.lobby')")
    visit.advance(300)
    assert show(visit) == "" and visit.page.is_disabled("#copy-rules")
    visit.page.fill("#rules", SPRINT)
    visit.page.keyboard.press("Enter")
    assert visit.notice == "These rules cannot be loaded: not now: leave this screen first."
