# The client in asof.R (its path is the first argument) against a service of the sample, at ASOF_URL with the key ASOF_KEY. Ends with the number of checks.
source(commandArgs(trailingOnly = TRUE)[[1]])
count <- 0
check <- function(name, is_so) {
  if (!isTRUE(is_so)) stop("failed: ", name, call. = FALSE)
  count <<- count + 1
}
refused <- function(expression, class) inherits(tryCatch(expression, error = function(error) error), class)

asof <- asof_client()
served <- function(query) {
  request <- httr2::req_headers(httr2::request(paste0(Sys.getenv("ASOF_URL"), "/observations?", query)), "x-api-key" = Sys.getenv("ASOF_KEY"))
  jsonlite::fromJSON(httr2::resp_body_string(httr2::req_perform(request)), simplifyVector = FALSE)[["data"]]
}
value <- function(rows) vapply(rows, function(row) as.numeric(row[["actual"]]), 0)

payrolls <- "us_nonfarm_payrolls"
for (day in c("2020-04-30", "2020-05-31", "2020-06-30", "2025-12-31")) {
  found <- suppressWarnings(asof_series(asof, payrolls, as_of = day, period = "2020-04"))
  expected <- served(paste0("indicator_id=", payrolls, "&period=2020-04&as_of=", day))
  check(paste("payrolls of April 2020 as of", day), identical(found[["actual"]], value(expected)))
  check("the as-of is said", identical(format(attr(found, "as_of"), "%Y-%m-%d"), day) && all(found[["asOf"]] == attr(found, "as_of")))
  cat("r", as.character(jsonlite::toJSON(list(jsonlite::unbox(day), found[["actual"]]), digits = NA)), "\n")
}

row <- asof_series(asof, payrolls, as_of = as.Date("2020-06-30"), period = "2020-04")
check("days are days", inherits(row[["periodEnd"]], "Date") && format(row[["periodEnd"]]) == "2020-04-30")
check("instants are instants", inherits(row[["observedAt"]], "POSIXct") && format(row[["observedAt"]], "%Y-%m-%d %H:%M", tz = "UTC") == "2020-06-30 23:59")
check("nulls are nulls", is.na(row[["forecast"]]) && is.numeric(row[["forecast"]]) && is.na(row[["instrumentId"]]))
check("what is true is true", isTRUE(row[["revised"]]))

all <- asof_vintages(asof, payrolls, limit = 7)
expected <- served(paste0("indicator_id=", payrolls, "&vintage=all&limit=500"))
check("a walk in small pages is the whole list", identical(all[["observationId"]], vapply(expected, function(row) row[["observationId"]], "")))
check("it was one of several pages", length(attr(all, "request_ids")) > 3)
check("no as-of is NA", is.na(attr(all, "as_of")))

triangle <- asof_revision_triangle(asof, payrolls, 3, start_date = "2020-02-01", end_date = "2020-08-31")
first <- asof_first_prints(asof, payrolls, start_date = "2020-02-01", end_date = "2020-08-31")
check("the first column of the triangle has the first prints", identical(triangle[["print1"]], first[["actual"]]))
for (number in 1:3) {
  expected <- served(paste0("indicator_id=", payrolls, "&period=2020-04&release_number=", number))
  check("prints are numbered as by the service", identical(triangle[triangle[["period"]] == "2020-04", paste0("print", number)], value(expected)))
}

screen <- asof_screen(asof, "consumer_confidence:gt:-40", rank_by = "consumer_confidence:desc")
check("a screen has its values", is.numeric(screen[["values"]][[1]][["consumer_confidence"]][["value"]]) && attr(screen, "screener")[["matched"]] == nrow(screen))
check("a company has its statements", all(asof_company(asof, "ZZSMB", statement = "income")[["statementType"]] == "income"))
check("companies are listed", "ZZSMB" %in% asof_companies(asof)[["ticker"]])
check("the calendar is as of a day", all(asof_calendar(asof, country = "US", as_of = "2026-06-30")[["observedAt"]] < as.POSIXct("2026-07-01", tz = "UTC")))
chain <- asof_provenance(asof, row[["observationId"]], as_of = "2020-07-31")
check("the chain leads to the row", identical(as.numeric(chain[["actual"]]), row[["actual"]]) && attr(chain, "as_of") == "2020-07-31")

none <- tryCatch(asof_series(asof, "us_nonfarm_payroll"), warning = function(warning) warning)
check("an empty list says why", inherits(none, "asof_warning") && grepl("Did you mean us_nonfarm_payrolls", conditionMessage(none), fixed = TRUE))
empty <- suppressWarnings(asof_series(asof, "us_nonfarm_payroll"))
check("an empty list has the columns and types of a full one", nrow(empty) == 0 && identical(lapply(empty, class), lapply(row, class)))

check("an unknown parameter is refused", refused(asof_series(asof, payrolls, perid = "2020-04"), "asof_bad_request"))
check("a cursor that was not given out is refused", refused(asof_table(asof, "/observations", cursor = "x"), "asof_bad_request"))
check("an unknown entity is refused", refused(asof_item(asof, "/entities/{idOrSlug}", .places = list(idOrSlug = "nowhere")), "asof_not_found"))
stranger <- tryCatch(asof_series(asof_client(key = "asof_not_a_key"), payrolls), error = function(error) error)
check("a key that is not known is refused without being said", inherits(stranger, "asof_unauthorized") && !grepl("asof_not_a_key", conditionMessage(stranger)))
check("it says its request", nzchar(stranger[["request_id"]]))
check("a parameter without a value is refused", refused(asof_series(asof, payrolls, as_of = NA), "error"))
check("an address with a key in it is refused", refused(asof_client(url = "http://127.0.0.1/?key=a"), "error"))
check("a key with the end of a line is refused", refused(asof_client(key = "asof_a\n"), "error"))
check("nothing that answers is an error", refused(asof_series(asof_client(url = "http://127.0.0.1:9", retries = 0), payrolls), "asof_unreachable"))
check("the key is not printed", !any(grepl(Sys.getenv("ASOF_KEY"), capture.output(print(asof)), fixed = TRUE)))

# What the service refuses only at times, by answers made here.
answer <- function(status, body, ...) {
  httr2::response(status, headers = list("content-type" = "application/json", ...), body = charToRaw(as.character(jsonlite::toJSON(body, auto_unbox = TRUE))))
}
error <- function(code, details = NULL) list(error = list(code = code, message = "It is so.", requestId = "req_1", details = details))
ended <- asof_refusal(answer(400, error("bad_request", list(parameter = "cursor", reason = "expired"))))
check("a walk that took too long says so", inherits(ended, "asof_cursor_expired") && ended[["code"]] == "cursor_expired")
limited <- asof_refusal(answer(429, error("rate_limited"), "retry-after" = "7"))
check("a limit says how long", limited[["retry_after"]] == 7)
check("what is not the service is unreadable", inherits(asof_refusal(answer(502, list())), "asof_unreadable"))

with_answers <- function(answers, code) {
  sent <- 0
  mock <- function(request) {
    sent <<- sent + 1
    answers[[min(sent, length(answers))]]
  }
  name <- if ("with_mocked_responses" %in% getNamespaceExports("httr2")) "with_mocked_responses" else "with_mock"
  getExportedValue("httr2", name)(mock, code)
}
page <- list(data = list(), meta = list(pagination = list(has_more = FALSE)), requestId = "req_1")
pauses <- numeric()
waiting <- asof_client(url = "http://stub", key = "asof_a", pause = function(seconds) pauses <<- c(pauses, seconds))
wait <- function(seconds) answer(429, error("rate_limited"), "retry-after" = seconds)
with_answers(list(wait("7"), wait("0"), answer(200, page)), asof_table(waiting, "/countries"))
check("a limit is waited for as long as the service says", identical(pauses, c(7, 1)))
check("a limit longer than the longest wait is an error at once", refused(with_answers(list(wait("61")), asof_table(waiting, "/countries")), "asof_rate_limited"))
check("it was not waited for", length(pauses) == 2)
check("limits are waited for no longer in all", refused(with_answers(list(wait("25")), asof_table(waiting, "/countries")), "asof_rate_limited"))
check("twice at most here", identical(pauses, c(7, 1, 25, 25)))
check("a list that does not say the as-of asked for is refused", refused(with_answers(list(answer(200, page)), asof_series(waiting, "a", as_of = "2020-05-31")), "asof_unreadable"))

if (requireNamespace("arrow", quietly = TRUE)) {
  bulk <- asof_arrow(asof, "/observations", indicator_id = payrolls, vintage = "all", as_of = "2020-06-30")
  check("Arrow has the rows of the pages", identical(as.data.frame(bulk)[["actual"]], asof_vintages(asof, payrolls, as_of = "2020-06-30")[["actual"]]))
} else {
  cat("asof_arrow skipped: the package arrow is not there\n")
}
cat("r:", count, "checks passed\n")
