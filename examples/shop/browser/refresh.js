// Polls every few seconds and shows what changed. Without script the page reloads itself instead.
setInterval(async () => {
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [main, next] = [document.querySelector('main'), fresh.querySelector('main')];
    if (next && main.innerHTML !== next.innerHTML) {
      main.replaceWith(next);
      document.title = fresh.title;
    }
  } catch {
    // Offline for a moment; the next round asks again.
  }
}, 3000);
