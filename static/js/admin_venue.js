// The small picture of the menu's top follows the fields. Without this script it is what is stored.
const preview = document.querySelector(".venue-preview");
const [cover, logo, name] = ["cover", "logo", "name"].map((part) => preview?.querySelector(`[data-part="${part}"]`));
const field = (id) => document.getElementById(`id_${id}`);

function follow(picture, kind) {
  const stored = picture.getAttribute("src");
  const [file, removal] = [field(`${kind}_file`), field(`${kind}_remove`)];
  let chosen = "";

  function show() {
    const source = chosen || (removal?.checked ? "" : stored);
    picture.hidden = !source;
    if (source) picture.src = source;
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
  name.textContent = words.value.trim() || words.placeholder;
  name.hidden = !logo.hidden && Boolean(field("logo_has_name")?.checked);
}

if (preview && field("name")) {
  follow(cover, "cover");
  follow(logo, "logo");
  field("name").addEventListener("input", showName);
  field("logo_has_name")?.addEventListener("change", showName);
  field("cover_part")?.addEventListener("change", (event) => { cover.dataset.shows = event.target.value; });
  addEventListener("pageshow", showName); // the browser may fill in what was written before
}
