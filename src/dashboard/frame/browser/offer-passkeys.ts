/** Shows the passkey forms where the browser can fill them, and fills them when they are sent. */
export function offerPasskeys(): void {
  if (typeof PublicKeyCredential === 'undefined' || !PublicKeyCredential.parseRequestOptionsFromJSON) return;
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', event => {
      event.preventDefault();
      void answer(form);
    });
  }
}

/** Whoever closes the browser's dialog stays on the page; everything else is told by the server. */
async function answer(form: HTMLFormElement): Promise<void> {
  const response = form.elements.namedItem('response') as HTMLInputElement;
  try {
    const asked = await fetch(form.dataset['options'] ?? '', { method: 'POST' });
    const options = await asked.json();
    const credential =
      form.dataset['passkey'] === 'create'
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          });
    response.value = JSON.stringify(credential);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return;
    response.value = '';
  }
  form.submit();
}
