/** Puts what is meant into a text for customers, in which `{0}` stands for the first value. */
export function put(text: string, ...values: readonly string[]): string {
  return text.replace(/{(\d)}/g, (_, at: number) => values[at]!);
}
