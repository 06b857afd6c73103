# A client of an asof service, macro and market data as it was known: one file on httr2 and jsonlite, and on arrow if it is installed.
#
#     source("asof.R")
#     asof <- asof_client()                                   # ASOF_URL and ASOF_KEY, unless url and key are given
#     asof_series(asof, "us_nonfarm_payrolls", as_of = "2020-05-31")
#
# A list is a data frame: fields with the service's names, days as Date, instants as POSIXct in UTC, nulls as NA, nested fields as lists. Its column
# asOf is the applied knowledge cutoff, NA without a requested one. Parameters go to the service, which refuses unknown ones; NULL is not sent.
# A refusal is a condition of the class asof_error and of one by its code, such as asof_bad_request.

#' most_wait: the longest total wait of a request for Retry-After, in seconds; retries: the number of retries without an answer.
asof_client <- function(url = Sys.getenv("ASOF_URL"), key = Sys.getenv("ASOF_KEY"), most_wait = 60, retries = 2, timeout = 60, pause = Sys.sleep) {
  if (!grepl("^https?://[^/?#@]+(/[^?#]*)?$", url)) {
    stop("The address of the service is one of http or https alone, by url or ASOF_URL; the key is an argument of its own.", call. = FALSE)
  }
  if (!grepl("^[\x21-\x7e]*$", key, perl = TRUE) || grepl("\n", key, fixed = TRUE)) {
    stop("The key has invalid characters, such as a blank or a line end. Copy it again.", call. = FALSE)
  }
  url <- sub("/+$", "", url)
  get <- function(path, parameters, places = list()) {
    for (name in names(places)) path <- sub(paste0("{", name, "}"), asof_escaped(places[[name]]), path, fixed = TRUE)
    sent <- Map(asof_sent, names(parameters), parameters)
    sent <- sent[!vapply(sent, is.null, TRUE)]
    query <- paste(asof_escaped(names(sent)), vapply(sent, asof_escaped, ""), sep = "=", collapse = "&")
    request <- httr2::request(paste0(url, path, if (length(sent) > 0) paste0("?", query)))
    request <- httr2::req_headers(request, accept = "application/json", "user-agent" = "asof-client-r")
    if (nzchar(key)) request <- httr2::req_headers(request, "x-api-key" = key)
    # A redirection would take the key along, to whichever host it names.
    request <- httr2::req_options(request, followlocation = 0L)
    request <- httr2::req_error(httr2::req_timeout(request, timeout), is_error = function(response) FALSE)
    asof_performed(request, url, most_wait, retries, pause)
  }
  structure(list(url = url, get = get), class = "asof")
}

print.asof <- function(x, ...) cat("<asof ", x[["url"]], ">\n", sep = "")

# A whole list of any route, page by page from one snapshot; .places are the values for the braces in its path. Warns of missing rows, with the reason.
asof_table <- function(client, path, ..., .places = list()) {
  parameters <- list(...)
  if ("format" %in% names(parameters)) stop("The form of an answer is not a parameter here: a list is read as JSON, by asof_arrow as Arrow.", call. = FALSE)
  if (is.null(parameters[["limit"]])) parameters[["limit"]] <- 500
  is_asked <- !is.null(parameters[["as_of"]]) || !is.null(parameters[["asOf"]])
  rows <- list()
  ids <- character()
  first <- NULL
  repeat {
    page <- asof_json(client[["get"]](path, parameters, .places))
    meta <- page[["meta"]]
    if (is.null(meta[["pagination"]])) asof_stop("The route answers no list.", "unreadable", 200)
    if (is.null(first)) first <- meta
    if (!identical(meta[["as_of"]], first[["as_of"]]) || (is_asked && is.null(meta[["as_of"]]))) {
      asof_stop("The list cannot be read whole: a page is not as of the moment that was asked for, or of another than the first.", "unreadable", 200)
    }
    rows <- c(rows, page[["data"]])
    ids <- c(ids, page[["requestId"]])
    if (!isTRUE(meta[["pagination"]][["has_more"]])) break
    following <- meta[["pagination"]][["next_cursor"]]
    if (is.null(following) || identical(following, parameters[["cursor"]])) {
      asof_stop("The list cannot be read whole: more rows are said to follow, without a cursor to them.", "unreadable", 200)
    }
    parameters[["cursor"]] <- following
  }
  asof_warn(first)
  asof_frame(rows, asof_fields[[path]], first, ids)
}

# One record, as nested lists; attr "as_of" is the requested one, because answers with one record do not report it.
asof_item <- function(client, path, ..., .places = list()) {
  parameters <- list(...)
  body <- asof_json(client[["get"]](path, parameters, .places))
  found <- if (is.null(body[["data"]])) body else body[["data"]]
  structure(found, as_of = if (is.null(parameters[["as_of"]])) NA_character_ else asof_sent("as_of", parameters[["as_of"]]))
}

# The vintage of each period known at as_of; without as_of, the newest.
asof_series <- function(client, indicator, ..., as_of = NULL) asof_table(client, "/observations", indicator_id = indicator, as_of = as_of, ...)

# Every vintage of each period.
asof_vintages <- function(client, indicator, ..., as_of = NULL) {
  asof_table(client, "/observations", indicator_id = indicator, vintage = "all", as_of = as_of, ...)
}

# The first print of each period. Periods without one (loaded late, or with the first vintage of their series) are omitted; include_backfill = TRUE returns
# their first vintages.
asof_first_prints <- function(client, indicator, ..., as_of = NULL) {
  asof_table(client, "/observations", indicator_id = indicator, vintage = "first", as_of = as_of, ...)
}

# One row per period. The columns print1, print2, ... hold the prints as the service numbers them. A print that does not exist yet is NA.
asof_revision_triangle <- function(client, indicator, prints, ..., as_of = NULL) {
  if (!is.numeric(prints) || length(prints) != 1 || prints < 1) stop("prints is the number of prints, 1 or more.", call. = FALSE)
  known <- c("indicatorId", "country", "instrumentId", "sourceId", "period", "periodEnd")
  key <- function(rows) do.call(paste, c(lapply(known, function(name) as.character(rows[[name]])), sep = "\r"))
  found <- lapply(seq_len(prints), function(number) {
    asof_table(client, "/observations", indicator_id = indicator, release_number = number, as_of = as_of, ...)
  })
  triangle <- found[[1]][c(known, "unit")]
  newest <- found[[1]][["observedAt"]]
  for (number in seq_len(prints)) {
    rows <- found[[number]]
    place <- match(key(rows), key(triangle))
    if (anyDuplicated(key(rows)) > 0) stop("Several series have the same period: name their entity or source_id.", call. = FALSE)
    if (anyNA(place) || !identical(attr(rows, "as_of"), attr(found[[1]], "as_of")) || (number > 1 && any(rows[["observedAt"]] <= newest[place]))) {
      asof_stop("A print is there without the one before it; a new snapshot may have come between them.", "unreadable", 200)
    }
    if (!identical(rows[["unit"]], triangle[["unit"]][place])) stop("Prints of a period are in several units: ask for vintages.", call. = FALSE)
    newest[place] <- rows[["observedAt"]]
    triangle[[paste0("print", number)]] <- rows[["actual"]][match(seq_len(nrow(triangle)), place)]
  }
  triangle[["asOf"]] <- found[[1]][["asOf"]]
  for (name in c("as_of", "hints", "history_limited")) attr(triangle, name) <- attr(found[[1]], name)
  triangle
}

# Entities by a filter.
asof_screen <- function(client, filter = NULL, ..., rank_by = NULL, as_of = NULL) {
  asof_table(client, "/public/screener", filter = filter, rank_by = rank_by, as_of = as_of, ...)
}

# Companies with multiples and scores.
asof_companies <- function(client, ..., as_of = NULL) asof_table(client, "/public/companies", as_of = as_of, ...)

# Statements of a company, by its ticker, CIK, LEI or identifier.
asof_company <- function(client, company, ..., as_of = NULL) {
  asof_table(client, "/companies/{idOrLookup}/financials", as_of = as_of, ..., .places = list(idOrLookup = company))
}

# Releases of the economic calendar.
asof_calendar <- function(client, ..., as_of = NULL) asof_table(client, "/economic-calendar", as_of = as_of, ...)

# The chain from the publisher's file to an observation.
asof_provenance <- function(client, observation_id, as_of = NULL) {
  asof_item(client, "/provenance/observations/{observationId}", as_of = as_of, .places = list(observationId = observation_id))
}

# A list of a route with a bulk form as an Arrow table; requires the package arrow. Its metadata have the applied as-of.
asof_arrow <- function(client, path, ..., .places = list()) {
  if (!requireNamespace("arrow", quietly = TRUE)) stop("asof_arrow wants the package arrow; asof_table reads the same rows without it.", call. = FALSE)
  parameters <- list(...)
  head <- parameters[path == "/public/screener" | names(parameters) != "columns"]
  head[["limit"]] <- 1
  asof_warn(asof_json(client[["get"]](path, head, .places))[["meta"]])
  parameters[["format"]] <- "arrow"
  if (is.null(parameters[["limit"]])) parameters[["limit"]] <- 1000000
  parts <- list()
  moment <- NULL
  repeat {
    response <- client[["get"]](path, parameters, .places)
    applied <- httr2::resp_header(response, "x-as-of")
    if (is.null(applied) || !(is.null(moment) || identical(moment, applied))) {
      asof_stop("The list cannot be read whole: a part does not say its as-of, or another one.", "unreadable", 200)
    }
    moment <- applied
    parts <- c(parts, list(arrow::read_ipc_stream(httr2::resp_body_raw(response), as_data_frame = FALSE)))
    following <- httr2::resp_header(response, "x-next-cursor")
    if (is.null(following)) break
    parameters[["cursor"]] <- following
  }
  whole <- do.call(arrow::concat_tables, parts)
  whole[["asOf"]] <- rep(asof_instant(moment), nrow(whole))
  whole[["metadata"]][["asof.as_of"]] <- moment
  whole
}

# A parameter as text in a URL; NULL for one that is not sent.
asof_sent <- function(name, value) {
  if (is.null(value)) return(NULL)
  if (length(value) == 0 || anyNA(value)) stop("The parameter ", name, " has no value.", call. = FALSE)
  if (inherits(value, "POSIXt")) return(format(as.POSIXct(value), "%Y-%m-%dT%H:%M:%OS6Z", tz = "UTC"))
  if (inherits(value, "Date")) return(format(value, "%Y-%m-%d"))
  if (is.logical(value) && length(value) == 1) return(if (value) "true" else "false")
  if (is.numeric(value) && length(value) == 1 && is.finite(value)) return(format(value, scientific = FALSE, digits = 15))
  if (is.character(value) && (length(value) == 1 || !any(grepl(",", value, fixed = TRUE)))) return(paste(value, collapse = ","))
  stop("The parameter ", name, " is neither a text, a number, a date, TRUE or FALSE, nor a vector of texts.", call. = FALSE)
}

asof_escaped <- function(text) utils::URLencode(enc2utf8(as.character(text)), reserved = TRUE)

# The answer with status 200 of a request; a condition for any other.
asof_performed <- function(request, url, most_wait, retries, pause) {
  force(request)
  waited <- 0
  failed <- 0
  repeat {
    response <- tryCatch(httr2::req_perform(request), error = function(error) NULL)
    if (is.null(response)) {
      if (failed >= retries) asof_stop(paste0("The service at ", url, " does not answer."), "unreachable", 0)
      pause(failed / 2)
      failed <- failed + 1
      next
    }
    if (httr2::resp_status(response) == 200) return(response)
    refusal <- asof_refusal(response)
    # A wait of nothing would ask without end.
    wait <- if (refusal[["code"]] == "rate_limited") max(refusal[["retry_after"]], 1) else NA
    if (is.na(wait) || waited + wait > most_wait) stop(refusal)
    pause(wait)
    waited <- waited + wait
  }
}

asof_refusal <- function(response) {
  status <- httr2::resp_status(response)
  error <- tryCatch(jsonlite::fromJSON(httr2::resp_body_string(response), simplifyVector = FALSE)[["error"]], error = function(error) NULL)
  if (!is.list(error) || is.null(error[["code"]]) || is.null(error[["message"]])) {
    return(asof_condition(paste0("What answered with status ", status, " is not the service."), "unreadable", status))
  }
  details <- error[["details"]]
  after <- httr2::resp_header(response, "retry-after")
  is_ended <- identical(details[["parameter"]], "cursor") && isTRUE(details[["reason"]] %in% c("expired", "snapshot_gone"))
  asof_condition(
    error[["message"]], if (is_ended) "cursor_expired" else error[["code"]], status, details, error[["requestId"]],
    if (is.null(after) || !grepl("^[0-9]+$", after)) NA_real_ else as.numeric(after)
  )
}

asof_condition <- function(message, code, status, details = NULL, request_id = NULL, retry_after = NA_real_) {
  structure(
    list(message = message, call = NULL, code = code, status = status, details = details, request_id = request_id, retry_after = retry_after),
    class = c(paste0("asof_", code), if (code == "cursor_expired") "asof_bad_request", "asof_error", "error", "condition")
  )
}

asof_stop <- function(message, code, status) stop(asof_condition(message, code, status))

asof_warn <- function(meta) {
  messages <- vapply(meta[["hints"]], function(hint) hint[["message"]], "")
  if (isTRUE(meta[["history_limited"]]) && length(messages) == 0) messages <- "The key sees only the last 24 months."
  for (message in messages) warning(structure(list(message = message, call = NULL), class = c("asof_warning", "warning", "condition")))
}

asof_json <- function(response) {
  # Unmade until now: within tryCatch a refusal would be taken for an answer that cannot be read, and the question sent again.
  force(response)
  body <- tryCatch(jsonlite::fromJSON(httr2::resp_body_string(response), simplifyVector = FALSE), error = function(error) NULL)
  if (!is.list(body)) asof_stop("The answer is not the JSON that the service sends.", "unreadable", httr2::resp_status(response))
  body
}

# Rows as a data frame. The description of the service gives the type of each column. A field that only a later service has becomes a list.
asof_frame <- function(rows, kinds, meta, ids) {
  later <- setdiff(unique(unlist(lapply(rows, names))), names(kinds))
  kinds <- c(kinds, stats::setNames(rep("json", length(later)), later))
  columns <- Map(function(name, kind) asof_column(lapply(rows, function(row) row[[name, exact = TRUE]]), kind), names(kinds), kinds)
  as_of <- if (is.null(meta[["as_of"]])) asof_instant(NA_character_) else asof_instant(meta[["as_of"]])
  columns[["asOf"]] <- rep(as_of, length(rows))
  structure(
    columns,
    class = "data.frame", row.names = seq_along(rows),
    as_of = as_of, hints = meta[["hints"]], history_limited = isTRUE(meta[["history_limited"]]), screener = meta[["screener"]], request_ids = ids
  )
}

asof_column <- function(values, kind) {
  if (kind %in% c("json", "strings")) return(values)
  is_null <- vapply(values, is.null, TRUE)
  want <- switch(kind, number = , integer = is.numeric, boolean = is.logical, is.character)
  if (!all(vapply(values[!is_null], want, TRUE))) asof_stop("A row has a value of another type than the description says.", "unreadable", 200)
  filled <- switch(kind, number = , integer = rep(NA_real_, length(values)), boolean = rep(NA, length(values)), rep(NA_character_, length(values)))
  filled[!is_null] <- unlist(values[!is_null])
  typed <- switch(kind, date = as.Date(filled, format = "%Y-%m-%d"), "date-time" = asof_instant(filled), filled)
  if (any(is.na(typed) & !is_null)) asof_stop("A row has a day or an instant that is none.", "unreadable", 200)
  typed
}

asof_instant <- function(text) as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")

# made by tools/generate-clients: fields
asof_fields <- list(
  "/entities" = c(entityId = "string", slug = "string", entityType = "string", name = "string", shortName = "string", country = "string", currency = "string", parentEntityId = "string", identifiers = "json", status = "string", successorEntityId = "string", validFrom = "date", validTo = "date", indicatorCount = "integer", observationCount = "integer", latestPeriodEnd = "date", createdAt = "date-time", updatedAt = "date-time"),
  "/entities/{idOrSlug}/aliases" = c(aliasId = "string", entityId = "string", alias = "string", aliasNormalized = "string", aliasType = "string", scheme = "string", isPrimary = "boolean", validFrom = "date", validTo = "date", sourceId = "string", confidence = "number", createdAt = "date-time"),
  "/entities/{entityId}/observations" = c(observationId = "string", indicatorId = "string", indicatorName = "string", category = "string", subCategory = "string", factorHint = "string", country = "string", instrumentId = "string", currency = "string", sourceId = "string", provider = "string", releaseDate = "date", period = "string", periodEnd = "date", actual = "number", forecast = "number", consensus = "number", surprise = "number", surprisePercent = "number", unit = "string", frequency = "string", importance = "string", observedAt = "date-time", retrievedAt = "date-time", revised = "boolean", vintage = "string", sourceUrl = "string", attribution = "string", rawAvailable = "boolean", releaseEventId = "string", sourceTier = "string", fallbackOnly = "boolean", scoringEligible = "boolean", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", cadenceComparable = "boolean", preferredForFactor = "boolean", factorKey = "string", comparisonBasis = "string", derivedFrom = "strings", rights = "json"),
  "/canonical-indicators" = c(canonicalIndicatorId = "string", slug = "string", name = "string", description = "string", category = "string", subCategory = "string", factorHint = "string", factorKey = "string", unit = "string", comparisonBasis = "string", seasonalAdjustment = "string", frequency = "string", cadenceComparable = "boolean", polarity = "integer", importance = "string", derivedFrom = "strings", aliases = "strings", externalCodes = "json", preferredSourceIds = "strings", entityTypes = "strings", screenable = "boolean", countryCount = "integer", observationCount = "integer", latestPeriodEnd = "date", status = "string", successorIndicatorId = "string", updatedAt = "date-time"),
  "/countries" = c(countryId = "string", entityId = "string", slug = "string", name = "string", officialName = "string", iso2 = "string", iso3 = "string", isoNumeric = "string", region = "string", subregion = "string", incomeGroup = "string", currency = "string", centralBankEntityId = "string", timezone = "string", isCurrencyArea = "boolean", memberOf = "strings", indicatorCount = "integer", observationCount = "integer", latestPeriodEnd = "date"),
  "/countries/available-indicators" = c(countryId = "string", name = "string", indicatorCount = "integer", indicators = "json"),
  "/indicators" = c(indicatorId = "string", canonicalIndicatorId = "string", factorKey = "string", name = "string", category = "string", entityId = "string", country = "string", frequency = "string", unit = "string", sourceId = "string", sourceTier = "string", firstPeriodEnd = "date", latestPeriodEnd = "date", observationCount = "integer", vintageCount = "integer", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", rights = "json"),
  "/indicators/series" = c(indicatorId = "string", canonicalIndicatorId = "string", factorKey = "string", name = "string", category = "string", entityId = "string", country = "string", frequency = "string", unit = "string", sourceId = "string", sourceTier = "string", firstPeriodEnd = "date", latestPeriodEnd = "date", observationCount = "integer", vintageCount = "integer", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", rights = "json", meanAbsRevision = "number", revisedShare = "number", medianReleaseLagDays = "number"),
  "/indicators/entities" = c(entityId = "string", name = "string", entityType = "string", country = "string", indicatorIds = "strings", sourceIds = "strings", firstPeriodEnd = "date", latestPeriodEnd = "date", observationCount = "integer"),
  "/observations" = c(observationId = "string", indicatorId = "string", indicatorName = "string", category = "string", subCategory = "string", factorHint = "string", country = "string", instrumentId = "string", currency = "string", sourceId = "string", provider = "string", releaseDate = "date", period = "string", periodEnd = "date", actual = "number", forecast = "number", consensus = "number", surprise = "number", surprisePercent = "number", unit = "string", frequency = "string", importance = "string", observedAt = "date-time", retrievedAt = "date-time", revised = "boolean", vintage = "string", sourceUrl = "string", attribution = "string", rawAvailable = "boolean", releaseEventId = "string", sourceTier = "string", fallbackOnly = "boolean", scoringEligible = "boolean", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", cadenceComparable = "boolean", preferredForFactor = "boolean", factorKey = "string", comparisonBasis = "string", derivedFrom = "strings", rights = "json"),
  "/observations/latest" = c(observationId = "string", indicatorId = "string", indicatorName = "string", category = "string", subCategory = "string", factorHint = "string", country = "string", instrumentId = "string", currency = "string", sourceId = "string", provider = "string", releaseDate = "date", period = "string", periodEnd = "date", actual = "number", forecast = "number", consensus = "number", surprise = "number", surprisePercent = "number", unit = "string", frequency = "string", importance = "string", observedAt = "date-time", retrievedAt = "date-time", revised = "boolean", vintage = "string", sourceUrl = "string", attribution = "string", rawAvailable = "boolean", releaseEventId = "string", sourceTier = "string", fallbackOnly = "boolean", scoringEligible = "boolean", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", cadenceComparable = "boolean", preferredForFactor = "boolean", factorKey = "string", comparisonBasis = "string", derivedFrom = "strings", previous = "number", revisedPrevious = "number", previousType = "string", rights = "json"),
  "/observations/changes" = c(observationId = "string", indicatorId = "string", indicatorName = "string", category = "string", subCategory = "string", factorHint = "string", country = "string", instrumentId = "string", currency = "string", sourceId = "string", provider = "string", releaseDate = "date", period = "string", periodEnd = "date", actual = "number", forecast = "number", consensus = "number", surprise = "number", surprisePercent = "number", unit = "string", frequency = "string", importance = "string", observedAt = "date-time", retrievedAt = "date-time", revised = "boolean", vintage = "string", sourceUrl = "string", attribution = "string", rawAvailable = "boolean", releaseEventId = "string", sourceTier = "string", fallbackOnly = "boolean", scoringEligible = "boolean", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", cadenceComparable = "boolean", preferredForFactor = "boolean", factorKey = "string", comparisonBasis = "string", derivedFrom = "strings", rights = "json", changeSequence = "integer", changeType = "string", changedAt = "date-time", priorObservationId = "string", priorActual = "number"),
  "/public/observations" = c(observationId = "string", indicatorId = "string", indicatorName = "string", category = "string", subCategory = "string", factorHint = "string", country = "string", instrumentId = "string", currency = "string", sourceId = "string", provider = "string", releaseDate = "date", period = "string", periodEnd = "date", actual = "number", forecast = "number", consensus = "number", surprise = "number", surprisePercent = "number", unit = "string", frequency = "string", importance = "string", observedAt = "date-time", retrievedAt = "date-time", revised = "boolean", vintage = "string", sourceUrl = "string", attribution = "string", rawAvailable = "boolean", releaseEventId = "string", sourceTier = "string", fallbackOnly = "boolean", scoringEligible = "boolean", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", cadenceComparable = "boolean", preferredForFactor = "boolean", factorKey = "string", comparisonBasis = "string", derivedFrom = "strings"),
  "/public/observations/latest" = c(observationId = "string", indicatorId = "string", indicatorName = "string", category = "string", subCategory = "string", factorHint = "string", country = "string", instrumentId = "string", currency = "string", sourceId = "string", provider = "string", releaseDate = "date", period = "string", periodEnd = "date", actual = "number", forecast = "number", consensus = "number", surprise = "number", surprisePercent = "number", unit = "string", frequency = "string", importance = "string", observedAt = "date-time", retrievedAt = "date-time", revised = "boolean", vintage = "string", sourceUrl = "string", attribution = "string", rawAvailable = "boolean", releaseEventId = "string", sourceTier = "string", fallbackOnly = "boolean", scoringEligible = "boolean", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", cadenceComparable = "boolean", preferredForFactor = "boolean", factorKey = "string", comparisonBasis = "string", derivedFrom = "strings", previous = "number", revisedPrevious = "number", previousType = "string"),
  "/panels" = c(date = "date", asOf = "date-time", entityId = "string", country = "string", factor = "string", factorKey = "string", indicatorId = "string", observationId = "string", vintage = "string", value = "number", unit = "string", period = "string", periodEnd = "date", observedAt = "date-time", releaseNumber = "integer", isRevised = "boolean", isBackfill = "boolean", sourceId = "string", sourceTier = "string", freshnessStatus = "string", scoringEligible = "boolean", eopLag = "integer", mopLag = "integer", grade = "integer", rights = "json"),
  "/public/panels" = c(date = "date", asOf = "date-time", entityId = "string", country = "string", factor = "string", factorKey = "string", indicatorId = "string", observationId = "string", vintage = "string", value = "number", unit = "string", period = "string", periodEnd = "date", observedAt = "date-time", releaseNumber = "integer", isRevised = "boolean", isBackfill = "boolean", sourceId = "string", sourceTier = "string", freshnessStatus = "string", scoringEligible = "boolean", eopLag = "integer", mopLag = "integer", grade = "integer"),
  "/platform/macro-data" = c(observationId = "string", indicatorId = "string", indicatorName = "string", category = "string", subCategory = "string", factorHint = "string", country = "string", instrumentId = "string", currency = "string", sourceId = "string", provider = "string", releaseDate = "date", period = "string", periodEnd = "date", actual = "number", forecast = "number", consensus = "number", surprise = "number", surprisePercent = "number", unit = "string", frequency = "string", importance = "string", observedAt = "date-time", retrievedAt = "date-time", revised = "boolean", vintage = "string", sourceUrl = "string", attribution = "string", rawAvailable = "boolean", releaseEventId = "string", sourceTier = "string", fallbackOnly = "boolean", scoringEligible = "boolean", freshnessStatus = "string", collectionStatus = "string", ceasedFinalPeriod = "string", successorIndicatorId = "string", cadenceComparable = "boolean", preferredForFactor = "boolean", factorKey = "string", comparisonBasis = "string", derivedFrom = "strings", forecastMethod = "string", forecastLower = "number", forecastUpper = "number", forecastLevel = "number", forecastPeriod = "string", forecastOrigin = "date-time", forecastModelVersion = "string", forecastTarget = "string", rights = "json"),
  "/derived-indicators" = c(indicatorId = "string", slug = "string", name = "string", family = "string", unit = "string", cadence = "string", derivedFrom = "strings", sourceIds = "strings", entityIds = "strings", entityCount = "integer", observationCount = "integer", latestPeriodEnd = "date-time", refreshedAt = "date-time", availability = "string", availabilityReason = "string", preferredSourceId = "string", metadata = "json"),
  "/derived-observations" = c(id = "string", entityId = "string", indicatorId = "string", sourceId = "string", providerId = "string", derivedFrom = "strings", valueNumeric = "number", valueText = "string", unit = "string", frequency = "string", periodStart = "date-time", periodEnd = "date-time", observedAt = "date-time", releasedAt = "date-time", ingestedAt = "date-time", revisionStatus = "string", sourceUrl = "string", attribution = "string", freshnessStatus = "string", metadata = "json", rights = "json", inputObservationIds = "strings", sourceRefs = "json"),
  "/public/screener" = c(rank = "integer", entityId = "string", entityType = "string", name = "string", country = "string", values = "json"),
  "/public/screener/filters" = c(field = "string", label = "string", type = "string", unit = "string", operators = "strings", modifiers = "strings", universes = "strings", min = "number", p05 = "number", median = "number", p95 = "number", max = "number", coverageCount = "integer", enumValues = "strings", example = "string"),
  "/public/companies" = c(companyId = "string", entityId = "string", cik = "string", lei = "string", ticker = "string", exchange = "string", tickers = "strings", name = "string", sector = "string", industry = "string", sic = "string", classificationScheme = "string", country = "string", reportingCurrency = "string", fiscalYearEnd = "string", status = "string", sharesOutstanding = "number", sharesAsOf = "date", price = "number", priceAsOf = "date", marketCap = "number", latestPeriodEnd = "date", latestFiledAt = "date-time", multiples = "json", scores = "json", scoreAsOf = "date-time", scoreCoverage = "number", freshnessStatus = "string", scoringEligible = "boolean", rightsNote = "string", nullReasons = "json"),
  "/companies/{idOrLookup}/financials" = c(statementId = "string", companyId = "string", cik = "string", statementType = "string", periodType = "string", fiscalYear = "integer", fiscalPeriod = "string", periodStart = "date", periodEnd = "date", form = "string", accessionNumber = "string", filedAt = "date", acceptedAt = "date-time", observedAt = "date-time", revisionStatus = "string", restated = "boolean", splitFactor = "number", derived = "boolean", derivation = "string", currency = "string", items = "json", lines = "json", sourceUrl = "string"),
  "/events" = c(eventId = "string", eventType = "string", title = "string", summary = "string", entityId = "string", country = "string", currency = "string", importance = "string", status = "string", occurredAt = "date-time", timePrecision = "string", publishedAt = "date-time", observedAt = "date-time", indicatorIds = "strings", observationIds = "strings", calendarEventId = "string", sourceId = "string", sourceTier = "string", sourceUrl = "string", documentHash = "string", language = "string", attribution = "string", rights = "json"),
  "/economic-calendar" = c(eventId = "string", title = "string", country = "string", entityId = "string", currency = "string", category = "string", indicatorId = "string", canonicalIndicatorId = "string", factorKey = "string", importance = "string", scheduledAt = "date-time", timePrecision = "string", timezone = "string", status = "string", period = "string", periodEnd = "date", actual = "number", previous = "number", revisedPrevious = "number", consensus = "number", forecast = "number", forecastMethod = "string", forecastLower = "number", forecastUpper = "number", unit = "string", frequency = "string", releasedAt = "date-time", observationId = "string", scheduleVersion = "integer", observedAt = "date-time", sourceId = "string", sourceUrl = "string", attribution = "string"),
  "/source-health" = c(sourceId = "string", name = "string", provider = "string", sourceTier = "string", connectorId = "string", connectorVersion = "integer", status = "string", lastAttemptAt = "date-time", lastSuccessAt = "date-time", lastNewDataAt = "date-time", lastErrorAt = "date-time", lastErrorCode = "string", lastErrorMessage = "string", consecutiveFailures = "integer", successRate7d = "number", latencyMsP50 = "number", expectedIntervalSeconds = "integer", nextRunAt = "date-time", seriesTotal = "integer", seriesFresh = "integer", seriesStale = "integer", seriesCeased = "integer", seriesUnknown = "integer", quarantinedOpen = "integer", freshnessStatus = "string", rights = "json", checkedAt = "date-time"),
  "/quarantine" = c(quarantineId = "string", sourceId = "string", connectorId = "string", ingestionRunId = "string", entityId = "string", indicatorId = "string", period = "string", rule = "string", ruleVersion = "string", severity = "string", reason = "string", fieldPath = "string", observedValue = "string", expected = "json", rawPayloadId = "string", status = "string", detectedAt = "date-time", resolvedAt = "date-time", resolution = "string", observationId = "string")
)
# end of fields
