// Makes a passkey, or uses one, and sends what the browser returns with the form.

const field = document.querySelector("[data-passkey]");
const { form } = field;
const isNew = field.dataset.passkey === "create";
const failed = form.querySelector("[data-passkey-failed]");
const button = form.querySelector("[data-passkey-button]");
const credentials = window.PublicKeyCredential;

function ask(options) {
  if (isNew) return navigator.credentials.create({ publicKey: credentials.parseCreationOptionsFromJSON(options) });
  return navigator.credentials.get({ publicKey: credentials.parseRequestOptionsFromJSON(options) });
}

if (credentials?.parseCreationOptionsFromJSON) {
  form.querySelector("[data-passkey-missing]").hidden = true;
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (isNew && !form.reportValidity()) return; // else a code is required as well
    failed.hidden = true;
    try {
      field.value = JSON.stringify(await ask(JSON.parse(field.dataset.options)));
      form.submit();
    } catch {
      failed.hidden = false; // cancelled, too late, or one that is known already
    }
  });
}
