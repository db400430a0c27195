/** The sandbox bar on the hosted page: asks the sandbox to play a payment and shows its verdict in words. */
type Verdict = { verdict: string; reason: string };
type Played = { verdicts?: Verdict[]; message?: string; details?: string };

const words: Record<string, string> = {
  paid: 'Paid.',
  extra_payment: 'Paid already: a second payment, for the shop to give back.',
  too_late: 'Too late: the order can no longer be paid.',
  no_order: 'No order has this amount, so nothing is paid.',
  duplicate: 'Counted already.',
  wrong_recipient: 'Not for this shop, so nothing is paid.',
  wrong_account: 'Another account, so nothing is paid.',
  not_a_credit: 'No money came in, so nothing is paid.',
  unreadable: 'The mail could not be read, so nothing is paid.',
  forged: 'Forged: nothing is paid.',
  retrying: 'Not decided yet; it is tried again.',
};

const bar = document.getElementById('sandbox')!;
const told = document.getElementById('sandbox-verdict')!;
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
  const played = (await answer.json()) as Played;
  if (!played.verdicts) {
    say('problem', played.details ?? played.message ?? 'The sandbox refused.');
    return;
  }
  told.textContent = '';
  told.className = 'sandbox-verdict';
  for (const { verdict, reason } of played.verdicts) {
    const line = document.createElement('span');
    line.className = verdict === 'paid' ? 'good' : 'bad';
    const head = document.createElement('b');
    head.textContent = words[verdict] ?? verdict;
    line.append(head, ` ${reason}`);
    told.append(line);
  }
}

function say(kind: string, text: string): void {
  told.className = `sandbox-verdict ${kind}`;
  told.textContent = text;
}
