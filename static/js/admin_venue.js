// The small pictures of the menu's top follow the fields. Without this script they are what is stored.
const preview = document.querySelector(".venue-preview");
const [covers, logos, names] = ["cover", "logo", "name"].map(
  (part) => [...(preview?.querySelectorAll(`[data-part="${part}"]`) ?? [])], // one on each phone
);
const field = (id) => document.getElementById(`id_${id}`);

function follow(pictures, kind) {
  const stored = pictures[0].getAttribute("src");
  const [file, removal] = [field(`${kind}_file`), field(`${kind}_remove`)];
  let chosen = "";

  function show() {
    const source = chosen || (removal?.checked ? "" : stored);
    for (const picture of pictures) {
      picture.hidden = !source;
      if (source) picture.src = source;
    }
    showName();
  }

  file?.addEventListener("change", () => {
    chosen = "";
    if (!file.files.length) return show();
    const reader = new FileReader(); // the page may show data, and no objects of the browser
    reader.addEventListener("load", () => {
      chosen = reader.result;
      show();
    });
    reader.readAsDataURL(file.files[0]);
  });
  removal?.addEventListener("change", show);
}

function showName() {
  const words = field("name");
  const isInLogo = !logos[0].hidden && Boolean(field("logo_has_name")?.checked);
  for (const name of names) {
    name.textContent = words.value.trim() || words.placeholder;
    name.hidden = isInLogo;
  }
}

if (preview && field("name")) {
  follow(covers, "cover");
  follow(logos, "logo");
  field("name").addEventListener("input", showName);
  field("logo_has_name")?.addEventListener("change", showName);
  field("cover_part")?.addEventListener("change", (event) => {
    for (const cover of covers) cover.dataset.shows = event.target.value;
  });
  addEventListener("pageshow", showName); // the browser may fill in what was written before
}
