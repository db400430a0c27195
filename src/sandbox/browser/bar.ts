/** The sandbox bar on the hosted page: asks the sandbox to play a payment and shows its verdict in words. */
type Verdict = { verdict: string; reason: string };

const words: Record<string, string> = {
  paid: 'Paid.',
  extra_payment: 'Paid a second time.',
  too_late: 'Too late.',
  no_order: 'Nothing paid.',
  duplicate: 'Counted already.',
  wrong_recipient: 'Nothing paid: wrong recipient.',
  wrong_account: 'Nothing paid: wrong account.',
  not_a_credit: 'Nothing paid: no money came in.',
  unreadable: 'Nothing paid: not readable.',
  forged: 'Nothing paid: forged.',
  retrying: 'Not decided yet.',
};

const bar = document.getElementById('sandbox')!;
const output = document.getElementById('sandbox-verdict')!;
const ways = Array.from(bar.querySelectorAll('button'));

for (const button of ways) {
  button.addEventListener('click', () => {
    for (const other of ways) other.disabled = true;
    say('wait', 'The bank writes its mail…');
    void play(button.dataset['how']!)
      .catch(() => say('problem', 'The sandbox did not answer.'))
      .then(() => {
        for (const other of ways) other.disabled = false;
      });
  });
}

async function play(how: string): Promise<void> {
  const answer = await fetch(bar.dataset['pay']!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ how }),
  });
  const played = (await answer.json()) as { verdicts?: Verdict[]; message?: string; details?: string };
  if (!played.verdicts) {
    say('problem', played.details ?? played.message ?? 'The sandbox refused.');
    return;
  }
  output.textContent = '';
  output.className = 'sandbox-verdict';
  for (const { verdict, reason } of played.verdicts) {
    const line = document.createElement('span');
    line.className = verdict === 'paid' ? 'good' : 'bad';
    const head = document.createElement('b');
    head.textContent = words[verdict] ?? verdict;
    line.append(head, ` ${sentence(reason)}`);
    output.append(line);
  }
}

/** The owner's switch. It is fetched, because another page or a test may have changed it. */
const settings = '/sandbox/settings';
const checkbox = document.getElementById('sandbox-hold') as HTMLInputElement;

function showHold(answer: Response): Promise<void> {
  return answer.json().then(({ hold_near_misses: isHeld }: { hold_near_misses: boolean }) => {
    checkbox.checked = isHeld;
  });
}

checkbox.addEventListener('change', () => {
  const body = JSON.stringify({ hold_near_misses: checkbox.checked });
  const headers = { 'content-type': 'application/json' };
  fetch(settings, { method: 'PUT', headers, body })
    .then(showHold)
    .catch(() => say('problem', 'The sandbox did not answer.'));
});
fetch(settings)
  .then(showHold)
  .catch(() => {});

function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1).replace(/[^.]$/, '$&.');
}

function say(kind: string, text: string): void {
  output.className = `sandbox-verdict ${kind}`;
  output.textContent = text;
}
