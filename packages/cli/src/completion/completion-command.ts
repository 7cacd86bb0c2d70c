// `flaghoist completion`: a script that completes commands and options in a shell. It is rendered from the program, so
// it knows the commands of this version.

import { Argument, type Command } from 'commander';
import { jsonOption, type OutputOptions, printResult } from '../terminal/output.ts';

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(renderers)))
    .option(...jsonOption)
    .addHelpText('after', `\n${Object.values(installations).join('\n')}`)
    .action((shell: Shell, options: OutputOptions) => {
      const script = renderers[shell](program.name(), listWords(program));
      printResult(options, { shell, script }, script);
    });
}

type Shell = 'bash' | 'zsh' | 'fish';

const installations: Record<Shell, string> = {
  bash: '  $ flaghoist completion bash > ~/.local/share/bash-completion/completions/flaghoist',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell.
  zsh: '  $ flaghoist completion zsh > "${fpath[1]}/_flaghoist"',
  fish: '  $ flaghoist completion fish > ~/.config/fish/completions/flaghoist.fish',
};

interface Word {
  word: string;
  description: string;
}

/** `subscription list` → what can follow it. The program itself is the empty path. */
type WordsByPath = ReadonlyMap<string, readonly Word[]>;

const renderers: Record<Shell, (name: string, words: WordsByPath) => string> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

function listWords(program: Command): WordsByPath {
  const words = new Map<string, Word[]>();
  const visit = (command: Command, path: string) => {
    const help = command.createHelp();
    const commands = help.visibleCommands(command).map((one) => ({ word: one.name(), description: one.description() }));
    const options = help
      .visibleOptions(command)
      .map(({ long, short, description }) => ({ word: long ?? short ?? '', description }));
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
    words.set(path, [...commands, ...choices.map((word) => ({ word, description: '' })), ...options]);
    for (const one of command.commands) visit(one, `${path} ${one.name()}`.trim());
  };
  visit(program, '');
  return words;
}

/** Finds the path of the commands on the line, in every shell the same way. */
function renderBash(name: string, words: WordsByPath): string {
  const cases = [...words].map(
    ([path, all]) => `    ${quote(path)}) words=${quote(all.map(({ word }) => word).join(' '))} ;;`,
  );
  const paths = [...words.keys()].map((path) => quote(path)).join('|');
  return `# Completes ${name} in bash.
_${identifierOf(name)}() {
  local path='' next word words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    next="\${path:+$path }$word"
    case "$next" in ${paths}) path="$next" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _${identifierOf(name)} ${name}
`;
}

function renderZsh(name: string, words: WordsByPath): string {
  const cases = [...words].map(([path, all]) => {
    const described = all.map(({ word, description }) => quote(`${word.replaceAll(':', '\\:')}:${description}`));
    return `    ${quote(path)}) words=(${described.join(' ')}) ;;`;
  });
  const paths = [...words.keys()].map((path) => quote(path)).join('|');
  return `#compdef ${name}
# Completes ${name} in zsh.
_${identifierOf(name)}() {
  local path_='' next word
  local -a given=("\${words[@]:1:$((CURRENT - 2))}") words
  for word in $given; do
    next="\${path_:+$path_ }$word"
    case "$next" in ${paths}) path_="$next" ;; esac
  done
  case "$path_" in
${cases.join('\n')}
  esac
  _describe -t commands ${quote(name)} words || _files
}
compdef _${identifierOf(name)} ${name}
`;
}

function renderFish(name: string, words: WordsByPath): string {
  const paths = [...words.keys()];
  const cases = paths.map((path) => `      case ${quote(path)}\n        set path $next`);
  const lines = [...words].flatMap(([path, all]) =>
    all.map(({ word, description }) => {
      const value = word.startsWith('--') ? `-l ${quote(word.slice(2))}` : `-a ${quote(word)}`;
      return `complete -c ${name} -f -n ${quote(`__${identifierOf(name)}_at "${path}"`)} ${value} -d ${quote(description)}`;
    }),
  );
  return `# Completes ${name} in fish.
function __${identifierOf(name)}_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    switch $next
${cases.join('\n')}
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function identifierOf(name: string): string {
  return name.replaceAll(/\W/g, '_');
}

/** For a shell, literally. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
