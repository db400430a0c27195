type Sum = { amount: string; count: number };

const payments = (count: number) => (count === 1 ? 'one payment' : `${count} payments`);
const said = ({ amount, count }: Sum) => (count === 0 ? 'nothing' : `${amount} in ${payments(count)}`);

/** The day by mail. `until` is the hour up to which the day is told; null for a whole day. */
export const summary = {
  subject: ({ business, day, amount }: { business: string; day: string; amount: string }) =>
    `${business}: ${amount} received, ${day}`,
  day: ({ day, until }: { day: string; until: string | null }) =>
    until === null ? day : `${day}, until ${until}`,
  came: (sum: Sum) => `Came in: ${said(sum)}.`,
  before: (sum: Sum) => `The same day a week before: ${said(sum)}.`,
  late: ({ after, ...sum }: Sum & { after: string }) => `The evening before, after ${after}: ${said(sum)}.`,
  money: (count: number) => `Money that needs your word: ${payments(count)}.`,
  others: (count: number) =>
    count === 1
      ? 'One more thing needs you; your start page says what.'
      : `${count} more things need you; your start page says what.`,
  nothing: 'Nothing needs you.',
  home: 'Your day',
  choose: 'When this mail comes, or that it does not',
};
