/**
 * Values that wait in memory to be written together; those with the same key are joined. When `most` keys wait,
 * further keys are not noted.
 */
export function openUnwritten<Value>(most: number, join: (known: Value, value: Value) => Value) {
  let waiting = new Map<string, Value>();
  return {
    note(key: string, value: Value): void {
      const known = waiting.get(key);
      if (known !== undefined) waiting.set(key, join(known, value));
      else if (waiting.size < most) waiting.set(key, value);
    },
    take(): Value[] {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
  };
}
