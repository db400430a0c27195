import type { World } from '../world.ts';

type Options = Record<string, string>;

/** One of the operator's commands. The number it returns is the exit code. */
export type Command = {
  summary: string;
  options: Record<string, { meaning: string; required: boolean /** Stands without a value. */; flag?: true }>;
  /** What the one argument without a name is; it comes as the option `file`. */
  file?: string;
} & (
  | { needs: 'database'; run(world: World, options: Options): Promise<number> }
  /** Reads its own arguments and touches no database. */
  | { needs: 'nothing'; run(args: string[]): Promise<number> }
);
