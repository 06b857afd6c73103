// The clauses of a filter as fields: clauses that all hold, each of terms of which one holds.
import { html, useState } from '../lib/preact.js';
import { counted, numberText, unitText } from '../numbers.js';
import { fieldCalled, isWhole, MODIFIERS, nearestFields, operandFor, OPERATORS } from './text.js';
import { isOfReadyScreen } from './then.js';

const NEW_TERM = { field: '', modifier: '', operator: 'gt', operand: '' };

/** `clauses`: lists of terms; `offered`: the fields of the universe; `onChange` gets the clauses without empty ones. */
export function Builder({ clauses, fields, offered, onChange }) {
  const changed = (at, terms) => onChange(clauses.map((before, index) => (index === at ? terms : before)).filter((one) => one.length > 0));
  return html`<div class="builder">
    ${clauses.map(
      (terms, at) => html`<fieldset>
        <legend>${at === 0 ? 'All of these' : 'and'}</legend>
        ${terms.map(
          (term, index) => html`<${Term}
            term=${term}
            name=${`${at + 1}.${index + 1}`}
            isFirst=${index === 0}
            fields=${fields}
            offered=${offered}
            onChange=${(next) =>
              changed(
                at,
                terms.map((before, one) => (one === index ? next : before)),
              )}
            onRemove=${() =>
              changed(
                at,
                terms.filter((_, one) => one !== index),
              )}
          />`,
        )}
        <button type="button" class="quiet" onClick=${() => changed(at, [...terms, NEW_TERM])}>or …</button>
      </fieldset>`,
    )}
    <button type="button" onClick=${() => onChange([...clauses, [NEW_TERM]])}>${clauses.length === 0 ? 'Add a condition' : 'and …'}</button>
  </div>`;
}

function Term({ term, name, isFirst, fields, offered, onChange, onRemove }) {
  const field = fields.find((one) => one.field === term.field);
  // An unknown field gets all operators: the service reports the error.
  const operators = OPERATORS.filter(({ id }) => field === undefined || field.operators.includes(id) || id === term.operator);
  const modifiers = Object.entries(MODIFIERS).filter(([id]) => field === undefined || field.modifiers.includes(id) || id === term.modifier);
  const patch = (more) => onChange({ ...term, ...more });
  // While you type, a part of a name is not yet an unknown field.
  const [isLeft, setLeft] = useState(true);
  return html`<div class="term">
    ${!isFirst && html`<span class="small">or</span>`}
    <${FieldName} name=${name} of=${term.field} known=${field} fields=${fields} onField=${(next) => patch({ field: next })} onLeave=${setLeft} />
    ${
      modifiers.length > 0 &&
      html`<select aria-label=${`Of field ${name}`} value=${term.modifier} onChange=${(event) => patch({ modifier: event.target.value })}>
        <option value="" selected=${term.modifier === ''}>the value</option>
        ${modifiers.map(([id, label]) => html`<option value=${id} selected=${id === term.modifier}>${label}</option>`)}
      </select>`
    }
    <select aria-label=${`Operator ${name}`} value=${term.operator} onChange=${(event) => patch({ operator: event.target.value, operand: operandFor(event.target.value, term.operand) })}>
      ${operators.map(({ id, label }) => html`<option value=${id} selected=${id === term.operator}>${label}</option>`)}
    </select>
    <${Operand} term=${term} name=${name} values=${field?.enumValues ?? null} onChange=${(operand) => patch({ operand })} />
    <button type="button" class="quiet" aria-label=${`Remove ${name}`} onClick=${onRemove}>×</button>
    ${field !== undefined && html`<span class="small">${aboutField(field)}</span>`}
    ${!isWhole(term) && html`<span class="small">incomplete: ignored</span>`}
    ${field === undefined && isOfReadyScreen(term.field) && html`<span class="small">no values here</span>`}
    ${isLeft && field === undefined && term.field !== '' && !isOfReadyScreen(term.field) && html`<${Unknown} called=${term.field} offered=${offered} onField=${(next) => patch({ field: next })} />`}
  </div>`;
}

/** Says that there is no such field, and offers those with the nearest names. */
function Unknown({ called, offered, onField }) {
  const near = nearestFields(called, offered);
  return html`<p class="hint" role="status">The screener has no field “${called}”.${near.length > 0 && ' Nearest:'}
    ${near.map(({ field, label }) => html` <button type="button" class="quiet" title=${field} onClick=${() => onField(field)}>${label}</button>`)}</p>`;
}

/** A field by its name, with its id under the pointer. It keeps your typing, a name or an id, until you leave it. */
function FieldName({ name, of: id, known, fields, onField, onLeave }) {
  const [typed, setTyped] = useState(null);
  const take = (text) => {
    setTyped(text);
    onLeave(false);
    onField(fieldCalled(text, fields));
  };
  const leave = () => {
    setTyped(null);
    onLeave(true);
  };
  return html`<input aria-label=${`Field ${name}`} list="screener-names" size="40" spellcheck="false" title=${known && `${known.label} (${id})`} value=${typed ?? known?.label ?? id}
    onInput=${(event) => take(event.target.value)} onBlur=${leave} placeholder="unemployment rate" />`;
}

function aboutField({ unit, p05, median, p95, coverageCount }) {
  const range = median === null ? '' : `, 5 % ${numberText(p05)} · median ${numberText(median)} · 95 % ${numberText(p95)}`;
  return `${unit === null ? '' : `${unitText(unit)}; `}${counted(coverageCount, 'has it', 'have it')}${range}`;
}

function Operand({ term: { operator, operand }, name, values, onChange }) {
  if (operator === 'is')
    return html`<select aria-label=${`Value ${name}`} value=${operand} onChange=${(event) => onChange(event.target.value)}>
      <option value="notnull" selected=${operand === 'notnull'}>yes</option>
      <option value="null" selected=${operand === 'null'}>no</option>
    </select>`;
  if (operator === 'between') {
    const [from = '', to = ''] = operand.split('..');
    const number = (label, value, change) =>
      html`<input aria-label=${`${label} ${name}`} size="8" inputmode="decimal" value=${value} onInput=${(event) => change(event.target.value.trim())} />`;
    return html`<span>${number('From', from, (text) => onChange(`${text}..${to}`))} and ${number('To', to, (text) => onChange(`${from}..${text}`))}</span>`;
  }
  const isList = operator === 'in' || operator === 'nin';
  if (values !== null && !isList)
    return html`<select aria-label=${`Value ${name}`} value=${operand} onChange=${(event) => onChange(event.target.value)}>
      ${!values.includes(operand) && html`<option value=${operand} selected>${operand}</option>`}
      ${values.map((value) => html`<option value=${value} selected=${value === operand}>${value}</option>`)}
    </select>`;
  return html`<input aria-label=${`Value ${name}`} size=${isList ? 24 : 12} value=${operand} onInput=${(event) => onChange(event.target.value)} placeholder=${isList ? 'a,b' : ''} />`;
}
