/** The part of Lighthouse that the drill uses. The package is installed only when the drill runs. */
declare module 'lighthouse' {
  type Flags = {
    port: number;
    logLevel: 'silent' | 'error';
    onlyCategories?: string[];
    extraHeaders?: Record<string, string>;
  };
  type Result = { lhr: { categories: Record<string, { score: number | null }> } };
  export default function lighthouse(url: string, flags: Flags): Promise<Result | undefined>;
}
