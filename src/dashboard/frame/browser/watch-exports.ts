/** Below this a download is over before anybody could read how far it is. */
const worthShowing = 2_000;

/** Shows how far a large download is. Without script, and for small ones, the link simply downloads. */
export function watchExports(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-export]')) {
    const rows = Number(link.dataset['export']);
    const place = link.parentElement?.querySelector<HTMLElement>('.export-progress');
    const progress = place?.querySelector('progress');
    if (rows < worthShowing || !place || !progress) continue;
    let isRunning = false;
    link.addEventListener('click', event => {
      event.preventDefault();
      if (isRunning) return;
      isRunning = true;
      place.hidden = false;
      void download(link, progress)
        .catch(() => {
          const say = document.getElementById('say');
          const text = link.dataset['failed'] ?? '';
          if (say) say.textContent = text;
          place.after(text);
        })
        .finally(() => {
          isRunning = false;
          place.hidden = true;
        });
    });
  }
}

async function download(link: HTMLAnchorElement, progress: HTMLProgressElement): Promise<void> {
  const answer = await fetch(link.href);
  // Led to the sign-in page: the session is over, and that page is no list of orders.
  if (answer.redirected) return location.reload();
  if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`);
  const parts: BlobPart[] = [];
  const reader = answer.body.getReader();
  let lines = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value as Uint8Array<ArrayBuffer>);
    for (const byte of value) if (byte === 10) lines++;
    progress.value = lines;
  }
  const name =
    /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'orders.csv';
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  const save = document.createElement('a');
  save.href = url;
  save.download = name;
  save.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
