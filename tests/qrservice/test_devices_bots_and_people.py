"""Who is taken for a bot: nobody scans by one."""

from crawleruseragents import CRAWLER_USER_AGENTS_DATA

from qrservice import devices

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
ANDROID = "Mozilla/5.0 (Linux; Android 15; {}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0"


def test_nearly_all_bots_of_the_list_are_taken_for_bots():
    tools = {"http-library", "browser-automation"}
    listed = [agent for bot in CRAWLER_USER_AGENTS_DATA if not tools & {*bot["tags"]} for agent in bot["instances"]]
    missed = [agent for agent in listed if not devices.detect(agent).is_bot]
    assert len(listed) > 1900
    # Two of them are phones indeed: the list names a build of Android.
    assert len(missed) <= 4, missed


def test_patterns_that_name_phones_are_left_out_for_as_long_as_the_list_has_them():
    assert {crawler["pattern"] for crawler in CRAWLER_USER_AGENTS_DATA} >= devices._OF_PHONES


BOTS = [
    "Unheard-of-Bot/1.0",
    "Mozilla/5.0 (compatible; NewThing/1.0; +https://new.example/about)",
    "Some Link Preview/1.0",
    "Viber",
    f"{IPHONE} Safari/604.1 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
]


def test_bots_that_no_list_has_are_known_by_what_they_say():
    assert [agent for agent in BOTS if not devices.detect(agent).is_bot] == []


PEOPLE = [
    "",
    f"{IPHONE} Version/18.5 Mobile/15E148 Safari/604.1",
    f"{IPHONE} Mobile/15E148 [Pinterest/iOS]",
    f"{IPHONE} Mobile/15E148 Snapchat/12.90.0.43 (like Safari/8617.2.4.10.5, panda)",
    f"{IPHONE} Mobile/15E148 MicroMessenger/8.0.42 NetType/WIFI",
    f"{IPHONE} GSA/319.0 Mobile/15E148 Safari/604.1",
    "LinkedInApp/9.29 " + IPHONE + " Mobile/15E148 [LinkedInApp]/9.29",
    ANDROID.format("CPH2557 Build/AP3A.240617.008") + " Mobile Safari/537.36 Instagram 406.0.0.58.159 Android",
    ANDROID.format("SM-S918B Build/UP1A") + " Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/467.0.0.1;]",
    ANDROID.format("SM-S918B") + " Mobile Safari/537.36 Telegram-Android/10.14.5",
    ANDROID.format("CUBOT X30") + " Mobile Safari/537.36 Viber/11.9.5.8",
    ANDROID.format("HTC Butterfly") + " Mobile Safari/537.36 SogouMSE,SogouMobileBrowser/5.28",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
    "curl/8.5.0",
    "python-requests/2.32.3",
    "Python-urllib/3.11",
    "python-urllib3/2.2.1",
    "Java/17.0.1",
    "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
    "okhttp/4.12.0",
]


def test_people_and_the_libraries_of_apps_are_none():
    assert [agent for agent in PEOPLE if devices.detect(agent).is_bot] == []
