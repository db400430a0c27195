/** Replaces `{amount}` with the fact of that name. Kept small, because the widget loads it on shops' pages. */
export function insertFacts(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/{(\w+)}/g, (_, name: string) => facts[name]!);
}
