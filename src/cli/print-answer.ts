// What a command answers, on the standard output: text for people, or JSON for programs that ask for it with `--json`.

export interface AnswerOptions {
  json?: boolean;
}

export function printAnswer({ json }: AnswerOptions, answer: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : text);
}

export const jsonOption = ['--json', 'answer JSON, for programs'] as const;
