/** The day by mail. `until` is the hour up to which the day is told. */
export const summary = {
  subject: '{business}: {amount} received, {day}',
  dayUntil: '{day}, until {until}',
  sum: { zero: 'nothing', one: '{amount} in one payment', other: '{amount} in {count} payments' },
  came: 'Came in: {sum}.',
  before: 'The same day a week before: {sum}.',
  late: 'The evening before, after {after}: {sum}.',
  money: {
    one: 'Money that needs your word: one payment.',
    other: 'Money that needs your word: {count} payments.',
  },
  others: {
    one: 'One more thing needs you; your start page says what.',
    other: '{count} more things need you; your start page says what.',
  },
  nothing: 'Nothing needs you.',
  home: 'Your day',
  choose: 'When this mail comes, or that it does not',
} as const;
