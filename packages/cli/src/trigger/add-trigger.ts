// Defines `trigger`.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';

export function addTriggerCommand(program: Command): void {
  serviceCommand(program, 'trigger', 'create, update or delete a real object, and show who is notified')
    .argument('<event>', 'what to do: <Type>.C, <Type>.U or <Type>.D')
    .option('--key <key>', 'the object to update or delete')
    .option('--set <assignments...>', 'attributes, like comments=delayed; null clears one, "null" in quotes is a text')
    .option('--data <json>', 'attributes as JSON or as @file; --set comes on top')
    .option('--yes', 'confirm that the object is deleted; mandatory with <Type>.D')
    .addHelpText(
      'after',
      `
  $ flaghoist trigger Voyage.U --key 1007 --set comments="delayed" voyageStatus=OPR
  $ flaghoist trigger Vessel.C --set vesselName="Northern Light"
  $ flaghoist trigger Remark.D --key 1030 --yes`,
    )
    .action(async (event, options) => (await import('./trigger-command.ts')).trigger(event, options));
}
