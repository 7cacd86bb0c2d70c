// The public interface of the package.

export {
  openScriptSandbox,
  type ScriptCall,
  type ScriptMessage,
  type ScriptSandbox,
  type TimedScriptResult,
} from './script-sandbox.ts';
export type { UsedParameters } from './used-parameters.ts';
