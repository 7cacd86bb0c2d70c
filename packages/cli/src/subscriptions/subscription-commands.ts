// Defines `subscription list`, `show`, `create`, `test`, `ping` and `unsubscribe`.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';

const which = '<subscription>';
const keyOrName = 'its key or name';

export function addSubscriptionCommands(program: Command): void {
  const group = program.command('subscription').description('look after subscriptions');
  serviceCommand(group, 'list', 'list subscriptions that are not unsubscribed')
    .option('--all', 'unsubscribed ones, too')
    .action(async (options) => (await import('./show-subscriptions.ts')).listSubscriptions(options));
  serviceCommand(group, 'show', 'show a subscription')
    .argument(which, keyOrName)
    .action(async (subscription, options) =>
      (await import('./show-subscriptions.ts')).showSubscription(subscription, options),
    );
  serviceCommand(group, 'create', 'create a subscription; its signing secret is printed once')
    .option('--event <types...>', 'what to subscribe to, like BunkerOrder.U, Voyage.* or *.D')
    .option(
      '--to <address>',
      'where notifications go: an http, https, nats or mailto URL; without it, they are streamed',
    )
    .option('--name <name>', 'a name for people, and for other commands')
    .option('--expression <expression>', 'notify only if it is true, like ".voyageStatus = OPR"')
    .option('--fields <json>', 'what notifications contain, like {"voyageStatus":"*"}')
    .option('--data <json>', 'any other attributes, as JSON or as @file')
    .action(async (options) => (await import('./create-subscription.ts')).createSubscription(options));
  serviceCommand(group, 'test', 'show what a subscription would send, without sending or storing anything')
    .argument(which, keyOrName)
    .option('--object <key>', 'for this object, as it is now')
    .option('--operation <operation>', 'as if it were created (C), updated (U) or deleted (D)')
    .option('--event <id>', 'for this event, as "flaghoist why" shows it')
    .option('--recent <count>', 'for this many of the newest changes that it covers, at most 50')
    .option('--expression <expression>', 'as if the subscription had this expression')
    .action(async (subscription, options) =>
      (await import('./test-subscription.ts')).testSubscription(subscription, options),
    );
  serviceCommand(group, 'ping', 'send a test message to the receiver, and show its answer')
    .argument(which, keyOrName)
    .action(async (subscription, options) =>
      (await import('./test-subscription.ts')).pingSubscription(subscription, options),
    );
  serviceCommand(group, 'unsubscribe', 'end a subscription for good; what is pending fails')
    .argument(which, keyOrName)
    .action(async (subscription, options) =>
      (await import('./create-subscription.ts')).unsubscribe(subscription, options),
    );
}
