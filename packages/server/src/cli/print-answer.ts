// Prints the result of a command on standard output: text for people, or JSON for programs with `--json`.

export interface AnswerOptions {
  json?: boolean;
}

export function printAnswer({ json }: AnswerOptions, answer: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : text);
}

export const jsonOption = ['--json', 'print JSON, for programs'] as const;
