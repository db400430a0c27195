/**
 * The parts of React's types that the package uses. They let it build without React, which is a peer dependency and
 * comes with the shop. This file is not packed; the drill compiles the sources against React's own types.
 */
export interface ReactElement {
  readonly type: unknown;
  readonly props: unknown;
  readonly key: string | null;
}
export type ReactNode = ReactElement | string | number | boolean | null | undefined | Iterable<ReactNode>;
export function createElement(
  type: string,
  props: Record<string, unknown> | null,
  ...children: ReactNode[]
): ReactElement;
export function useEffect(effect: () => undefined | (() => void), given?: readonly unknown[]): void;
export function useRef<Value>(initial: Value): { current: Value };
export function useState<Value>(
  initial: Value | (() => Value),
): [Value, (next: Value | ((was: Value) => Value)) => void];
