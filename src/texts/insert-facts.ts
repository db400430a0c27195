/** Puts facts into a text: `{amount}` is the fact of that name. The widget carries this to shops' pages. */
export function insertFacts(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/{(\w+)}/g, (_, name: string) => facts[name]!);
}
