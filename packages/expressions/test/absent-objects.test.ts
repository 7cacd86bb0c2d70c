// On create there is no old object: it is null, but its getters can be called. All of them answer null.

import { describe, expect, test } from 'vitest';
import { answerOf, compiled, failureOf, voyage } from './expression-fixture.ts';

const onCreate = (text: string) => answerOf(text, voyage, null);

describe('on create, oldSvcObject', () => {
  test.each([
    'oldSvcObject == null && null == oldDlpObject && !(oldSvcObject != null)',
    '!(oldSvcObject instanceof Voyage) && Objects.isNull(oldSvcObject) && !Objects.equals(svcObject, oldSvcObject)',
    'svcObject != oldSvcObject && !svcObject.equals(oldSvcObject)',
    'Objects.requireNonNullElse(oldSvcObject, svcObject).getDaysTotal() == 12.5',
  ])('is null: %s', (text) => {
    expect(onCreate(text)).toBe(true);
  });

  test.each([
    'oldSvcObject.getDaysTotal() == null && svcObject.getDaysTotal() != null',
    'oldSvcObject.getKey() == null && oldSvcObject.getSelf() == null && oldSvcObject.getCreatedDate() == null',
    'oldSvcObject.isTc() == null && oldSvcObject.getVoyageStatus() == null',
    '!Objects.equals(svcObject.getVoyageStatus(), oldSvcObject.getVoyageStatus())',
    '"NOM".equals(svcObject.getVoyageStatus()) && !"NOM".equals(oldSvcObject.getVoyageStatus())',
    '(oldSvcObject.getComments() + "") == "null"',
    '((Voyage) oldSvcObject).getComments() == null',
    '(svcObject.isTc() ? oldSvcObject : svcObject).getComments() == null',
    '(svcObject.isTc() ? svcObject : oldSvcObject).getComments() != null',
  ])('has getters that answer null: %s', (text) => {
    expect(onCreate(text)).toBe(true);
  });

  test.each([
    'oldSvcObject.getVessel() == null && !(oldSvcObject.getVessel() instanceof Vessel)',
    'oldSvcObject.getVessel().getVesselName() == null && oldSvcObject.getVessel().getKey() == null',
    'oldSvcObject.getVessel() != svcObject.getVessel() && oldSvcObject.getVessel() == oldSvcObject.getVessel()',
    '(svcObject.isTc() ? oldSvcObject.getVessel() : svcObject.getVessel()).getFlag() == null',
  ])('refers to objects that do not exist either: %s', (text) => {
    expect(onCreate(text)).toBe(true);
  });

  test.each([
    'oldSvcObject.getPortCalls().isEmpty() && oldSvcObject.getPortCalls() != null',
    'oldSvcObject.getPortCalls().stream().noneMatch(p -> p.getSpeed() > 1)',
    'svcObject.getPortCalls().size() > oldSvcObject.getPortCalls().size()',
    'oldSvcObject.getVessel().getRemarks().isEmpty()',
  ])('has empty collections: %s', (text) => {
    expect(onCreate(text)).toBe(true);
  });

  test.each([
    'oldSvcObject.getDaysTotal() > 5',
    'oldSvcObject.getVessel().getBuiltYear() < 2000',
    'oldSvcObject.isTc()',
    'oldSvcObject.getVoyageStatus().equals("NOM")',
    'oldSvcObject.equals(svcObject)',
    'oldSvcObject.getPortCalls().get(0) == null',
  ])('otherwise behaves as null does in Java: %s', (text) => {
    expect(failureOf(text, voyage, null)).toMatch(/^(NullPointer|IndexOutOfBounds)Exception$/);
  });
});

test('on update, a reference that is null is null as in Java: nothing can be read through it', () => {
  expect(failureOf('oldSvcObject.getVessel().getFlag() == null')).toBe('NullPointerException');
  expect(failureOf('svcObject.getBallastPort().getPortName() == null')).toBe('NullPointerException');
  const { evaluate } = compiled('oldSvcObject.getVessel().getFlag() == null');
  const svcObject = { key: 1, get: () => null };
  expect(evaluate({ svcObject, oldSvcObject: null })).toEqual({ kind: 'value', value: true });
  expect(evaluate({ svcObject, oldSvcObject: svcObject })).toMatchObject({ exception: 'NullPointerException' });
});
