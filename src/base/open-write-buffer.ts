/** Collects values to write together, and joins those with the same key. Above `most` keys, new keys are dropped. */
export function openWriteBuffer<Value>(most: number, join: (known: Value, value: Value) => Value) {
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
