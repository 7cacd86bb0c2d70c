// Sets a new password when the password file is lost, for example after only the cluster was restored from a backup. No
// server may be running on the cluster.

import type { ClusterPlan } from './cluster-plan.ts';
import { createPassword } from './database-password.ts';
import { explainOutput } from './explain-output.ts';
import { folderArgument } from './run-as.ts';
import { runProgram } from './run-program.ts';

export async function resetPassword(plan: ClusterPlan, cluster: string): Promise<string> {
  const { folder, name, binaries, runAs } = plan;
  const password = await createPassword(folder, runAs.user);
  const run = await runProgram(
    runAs,
    binaries.postgres,
    ['--single', '-j', '-D', folderArgument(runAs, cluster), 'postgres'],
    {
      secret: password,
      cwd: cluster,
      input: `ALTER ROLE "${name}" PASSWORD '${password}';\n`,
    },
  );
  if (!run.isSuccess) throw explainOutput('its password could not be reset', folder, run.lines);
  return password;
}
