/** The screens of an owner's day; `ORDER` is one of theirs. */
const screens = [
  '/dashboard',
  '/dashboard/payments',
  '/dashboard/payments?view=decide',
  '/dashboard/orders/ORDER',
  '/dashboard/payments?view=paid',
];
const origin = 'https://pay.example.in';

/** An owner signs in, looks at their screens and goes. Fails by saying what they were answered. */
export async function visitDashboard(
  url: string,
  { email, password }: { email: string; password: string },
  orderId: string,
): Promise<number> {
  const signedIn = await fetch(`${url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', origin },
    body: new URLSearchParams({ email, password, next: '' }),
  });
  await signedIn.arrayBuffer();
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0];
  if (signedIn.status !== 303 || !cookie) throw new Error(`sign-in was answered with ${signedIn.status}`);
  for (const screen of screens) {
    const path = screen.replace('ORDER', orderId);
    const answer = await fetch(`${url}${path}`, { headers: { cookie }, redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
  }
  return screens.length;
}
