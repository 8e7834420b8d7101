// Which part of the cover guests see is asked once there is a new picture. Without this script it is always asked.
const file = document.getElementById("id_cover_file");
const part = document.querySelector(".form-row.field-cover_part");

function show() {
  part.hidden = file.files.length === 0;
}

if (file && part) {
  file.addEventListener("change", show);
  show();
}
